import { toWellFormed } from "../text/fold.ts";
import { plainText } from "../text/plain-text.ts";
import { sanitise } from "../text/sanitise.ts";
import { isHttpUrl } from "../text/urls.ts";

const MAX_ADDRESS = 2_000;

/** So much is made safe in about 10 ms; what is longer is cut. */
const MAX_NOTES = 32_768;

/** A text of a feed as one line of so many characters at most. */
export function oneLine(text: string, max: number): string {
  const line = text
    .slice(0, max * 4)
    .normalize("NFC")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return Array.from(line).slice(0, max).join("").trimEnd();
}

/** An http or https address as links may have it, or undefined. */
export function safeAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { href } = new URL(text);
  return isHttpUrl(href) && href.length <= MAX_ADDRESS ? href : undefined;
}

/**
 * HTML from elsewhere as it may be shown, or null when nothing of it is left. Not composed (NFC) first:
 * a sign that joins the one before it would make another text of it once it is safe.
 */
export function safeNotes(html: string): string | null {
  return sanitise(toWellFormed(html.slice(0, MAX_NOTES))).trim() || null;
}

/** The same without its markup, as a description has it. */
export function plainNotes(html: string): string | null {
  return plainText(safeNotes(html) ?? "").normalize("NFC") || null;
}
