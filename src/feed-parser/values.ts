import { toWellFormed } from "../text/fold.ts";
import type { Enclosure } from "./feed.ts";
import { parseUrl } from "../text/urls.ts";

// oxlint-disable-next-line no-control-regex -- all but tab and line breaks
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** A text that can be stored, or none. */
export function clean(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return toWellFormed(text.replaceAll(CONTROLS, "")).trim() || undefined;
}

/** The same on one line. */
export function cleanLine(text: string | undefined): string | undefined {
  return clean(text)?.replaceAll(/\s+/g, " ");
}

const MAX_URL_LENGTH = 2048;

/** An absolute address of http or https, or none. */
export function absolute(url: string | undefined, base: string): string | undefined {
  const cleaned = clean(url);
  const parsed = cleaned === undefined ? undefined : parseUrl(cleaned, base);
  if (!parsed) return undefined;
  const { protocol, href } = parsed;
  return /^https?:$/.test(protocol) && href.length <= MAX_URL_LENGTH ? href : undefined;
}

/** The same of all, each once. */
export function names(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.map(cleanLine).filter((name) => name !== undefined))];
}

/** The first of these files that has an address. */
export function firstEnclosure(
  files: readonly { url?: string | undefined; type?: string | undefined; length?: number | undefined }[],
  base: string,
): Enclosure | undefined {
  for (const { url, type, length } of files) {
    const address = absolute(url, base);
    if (address !== undefined) return { url: address, type: cleanLine(type), length: natural(length) };
  }
  return undefined;
}

const MAX_SECONDS = 30 * 24 * 3600;

/** How long something takes, if anything can take so long. */
export function duration(seconds: number | undefined): number | undefined {
  return natural(seconds, MAX_SECONDS);
}

/** A whole number from 0. */
function natural(value: number | undefined, max = Number.MAX_SAFE_INTEGER): number | undefined {
  if (value === undefined || !Number.isFinite(value) || value < 0) return undefined;
  const whole = Math.round(value);
  return whole <= max ? whole : undefined;
}

/** Plain text as HTML, with its line breaks. */
export function toHtml(text: string | undefined): string | undefined {
  return text
    ?.replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", "<br>\n");
}
