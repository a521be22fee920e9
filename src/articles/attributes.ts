import { invalid } from "../errors.ts";
import { isReachableAnywhere } from "../net/reach.ts";
import { countCharacters } from "../text/characters.ts";
import { checkTags, parseTagList } from "../text/tags.ts";
import { checkCanonicalUrl, isHttpUrl } from "../text/urls.ts";

const MAX_TITLE = 128;
/** Lists hold a thousand of them. */
const MAX_DESCRIPTION = 16_384;
const MAX_URL_BYTES = 2000;

/** Of these alone a title shows nothing. */
const INVISIBLE_ONLY = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
const CONTROL_CHARACTER = /[^\P{Cc}\t\n\r]/u;

/**
 * The title as it is stored: white space collapsed.
 * @throws AppError invalid when it shows nothing, is too long or has control characters
 */
export function checkedTitle(title: string): string {
  if (CONTROL_CHARACTER.test(title)) throw invalid("Title must not contain control characters");
  const text = title.replaceAll(/\s+/gu, " ").trim();
  if (INVISIBLE_ONLY.test(text)) throw invalid("Title can't be blank");
  if (countCharacters(text) > MAX_TITLE)
    throw invalid(`Title is too long (maximum is ${MAX_TITLE} characters)`);
  return text;
}

/** The description as it was given. @throws AppError invalid when it is too long */
export function checkedDescription(description: string): string {
  if (countCharacters(description) > MAX_DESCRIPTION) {
    throw invalid(`Description is too long (maximum is ${MAX_DESCRIPTION} characters)`);
  }
  return description;
}

/** Tag names as they are stored. @throws AppError invalid when there are too many or one is no tag */
export function checkedTags(tags: string | readonly string[]): string[] {
  const names = parseTagList(tags);
  checkTags(names);
  return names;
}

/** The canonical URL, or null when there is none. @throws AppError invalid */
export function checkedCanonicalUrl(url: string | null | undefined): string | null {
  const text = url?.trim() ?? "";
  if (text === "") return null;
  checkCanonicalUrl(text);
  return text;
}

/** Warns of a canonical URL on a private network, where an intranet or a test may well want it. */
export function warnIfUnreachable(canonicalUrl: string, warn: (sentence: string) => void): void {
  const url = new URL(canonicalUrl);
  if (isReachableAnywhere(url)) return;
  warn(`Canonical url leads to ${url.hostname}, which readers outside your network can't open.`);
}

/** The URL of a picture or a video, or null when there is none. @throws AppError invalid that names the field */
export function checkedUrl(field: string, url: string | null | undefined): string | null {
  const text = url?.trim() ?? "";
  if (text === "") return null;
  if (!isHttpUrl(text)) throw invalid(`${field} must be an http or https address`);
  if (Buffer.byteLength(text) > MAX_URL_BYTES) {
    throw invalid(`${field} is too long (maximum is ${MAX_URL_BYTES} bytes)`);
  }
  return text;
}
