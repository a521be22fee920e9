import { absoluteHtml } from "../../content/text/absolute-html.ts";
import { plainText } from "../../content/text/plain-text.ts";
import { sanitise } from "../../content/text/sanitise.ts";
import { isHttpUrl, parseUrl } from "../../platform/text/urls.ts";

const MAX_ADDRESS = 2_000;

/** Characters of notes; the rest is cut. */
const MAX_NOTES = 32_768;
/** Tags and entities of notes, which take at most 50 ms to sanitize; the rest is cut. */
const MAX_MARKUP = 1_000;

export function oneLine(text: string, max: number): string {
  const line = text
    .slice(0, max * 4)
    .normalize("NFC")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return Array.from(line).slice(0, max).join("").trimEnd();
}

export function safeAddress(text: string | undefined): string | undefined {
  const href = text === undefined ? undefined : parseUrl(text)?.href;
  return href !== undefined && isHttpUrl(href) && href.length <= MAX_ADDRESS ? href : undefined;
}

/**
 * Sanitizes HTML whose relative addresses start at `base`; null when nothing is left. It isn't normalized (NFC),
 * because a combining character would change sanitized markup.
 */
export function safeNotes(html: string, base: string): string | null {
  const safe = sanitise(bounded(html));
  const absolute = absoluteHtml(safe, base);
  // Sanitizing again gives links to other sites their `rel`.
  return (absolute === safe ? safe : sanitise(absolute)).trim() || null;
}

function bounded(html: string): string {
  const text = html.slice(0, MAX_NOTES);
  const pieces = text.split(/(?=[<&])/, MAX_MARKUP + 1);
  return pieces.slice(0, MAX_MARKUP).join("").toWellFormed();
}

export function plainNotes(html: string): string | null {
  return plainText(sanitise(bounded(html))).normalize("NFC") || null;
}
