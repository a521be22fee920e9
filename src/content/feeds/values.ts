import type { Enclosure } from "./feed.ts";
import { plainLine } from "../text/plain-line.ts";
import { parseUrl } from "../../platform/text/urls.ts";

// oxlint-disable-next-line no-control-regex -- all but tab and line breaks
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

export function clean(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return text.replaceAll(CONTROLS, "").toWellFormed().trim() || undefined;
}

export function cleanLine(text: string | undefined): string | undefined {
  return clean(text)?.replaceAll(/\s+/g, " ");
}

/** A title or name: feeds write it as HTML or as text, whatever they should. */
export function line(text: string | undefined): string | undefined {
  return cleanLine(text && plainLine(text));
}

const MAX_URL_LENGTH = 2048;

export function absolute(url: string | undefined, base: string): string | undefined {
  const cleaned = clean(url);
  const parsed = cleaned === undefined ? undefined : parseUrl(cleaned, base);
  if (!parsed) return undefined;
  const { protocol, href } = parsed;
  return /^https?:$/.test(protocol) && href.length <= MAX_URL_LENGTH ? href : undefined;
}

export function names(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.map(line).filter((name) => name !== undefined))];
}

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

export function duration(seconds: number | undefined): number | undefined {
  return natural(seconds, MAX_SECONDS);
}

function natural(value: number | undefined, max = Number.MAX_SAFE_INTEGER): number | undefined {
  if (value === undefined || !Number.isFinite(value) || value < 0) return undefined;
  const whole = Math.round(value);
  return whole <= max ? whole : undefined;
}

export function toHtml(text: string | undefined): string | undefined {
  return text
    ?.replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", "<br>\n");
}
