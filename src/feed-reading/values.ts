import { toWellFormed } from "../text/fold.ts";

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
  if (cleaned === undefined || !URL.canParse(cleaned, base)) return undefined;
  const { protocol, href } = new URL(cleaned, base);
  return /^https?:$/.test(protocol) && href.length <= MAX_URL_LENGTH ? href : undefined;
}

/** A whole number from 0 that a column of PostgreSQL holds. */
export function natural(value: number | undefined, max: number): number | undefined {
  if (value === undefined || !Number.isFinite(value) || value < 0) return undefined;
  const whole = Math.round(value);
  return whole <= max ? whole : undefined;
}

/** Plain text as HTML, with its line breaks. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", "<br>\n");
}
