import { invalid } from "../errors.ts";
import { quote } from "../text/quote.ts";
import { isHttpUrl } from "../text/urls.ts";

/** A text of a profile as it is stored: nothing rather than blank. */
export function storedText(text: string): string | null {
  return text.normalize("NFC").trim() || null;
}

/**
 * An address in a profile as it is stored; it becomes a link, so it must be one that is safe to follow.
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
