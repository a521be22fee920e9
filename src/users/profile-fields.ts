import { invalid } from "../errors.ts";
import { faultIn } from "../http/storable.ts";
import { OWN_PICTURE } from "../images/profile-picture.ts";
import { countCharacters } from "../text/characters.ts";
import { quote } from "../text/quote.ts";
import { isHttpUrl } from "../text/urls.ts";

export function storedText(text: string): string | null {
  return text.normalize("NFC").trim() || null;
}

/**
 * It becomes a link, so it must be safe.
 * @throws AppError invalid
 */
export function storedUrl(field: string, text: string): string | null {
  const url = text.trim();
  if (url === "") return null;
  if (isHttpUrl(url)) return url;
  throw invalid(
    `${field} must be a full http or https address such as https://example.com/lena, not ${quote(text)}`,
  );
}

/**
 * An address elsewhere, or the path of a stored picture.
 * @throws AppError invalid
 */
export function storedPicture(text: string): string | null {
  return OWN_PICTURE.test(text.trim()) ? text.trim() : storedUrl("profile_image", text);
}

export function replacedPicture(
  existing: { profile_image: string | null },
  given: string | null | undefined,
): string | null {
  return given === undefined || given === existing.profile_image ? null : existing.profile_image;
}

/**
 * @param properties the schemas of the texts
 * @throws AppError invalid
 */
export function checkTexts(texts: object, properties: object): void {
  const limits = properties as Record<string, { maxLength?: number } | undefined>;
  for (const [field, value] of Object.entries(texts) as [string, string | undefined][]) {
    if (value === undefined) continue;
    const name = sentenceName(field);
    const fault = faultIn(value);
    if (fault !== undefined) throw invalid(`${name} contains ${fault}: leave it out`);
    const { maxLength = Infinity } = limits[field] ?? {};
    if (countCharacters(value) > maxLength) {
      throw invalid(`${name} is too long (maximum is ${maxLength} characters)`);
    }
  }
}

function sentenceName(field: string): string {
  return `${field.charAt(0).toUpperCase()}${field.slice(1)}`.replaceAll("_", " ");
}
