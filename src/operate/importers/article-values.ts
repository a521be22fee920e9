import { parseMoment } from "../../platform/text/dates.ts";
import { plainLine } from "../../content/text/plain-line.ts";

/** A later date is a mistake: no article waits that long. */
const MAX_YEARS_AHEAD = 5;
/** Records have years of four digits. */
const EARLIEST = new Date("1000-01-01");

/** A date as records have it, of a text or milliseconds. Undefined for `0000-00-00` and the year 2999. */
export function momentOf(value: unknown, now: Date): string | undefined {
  const date = typeof value === "number" ? new Date(value) : parseMoment(wordOf(value));
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_YEARS_AHEAD);
  return date !== undefined && date >= EARLIEST && date <= latest ? date.toISOString() : undefined;
}

interface Dates {
  isPublic: boolean;
  published_at: unknown;
  created_at: string | undefined;
}

const NO_DATE = /^0000-00-00/;

/** Whether and since when an article is published. One with a date that can't be used waits as a draft. */
export function publicationOf({ isPublic, published_at, created_at }: Dates, now: Date) {
  if (!isPublic) return { published: false };
  const written = NO_DATE.test(wordOf(published_at)) ? created_at : (published_at ?? created_at);
  if (written === undefined) return { published: true };
  const date = momentOf(written, now);
  if (date !== undefined) return { published: true, published_at: date };
  return { published: false, remark: "a date of publication can't be used: the article becomes a draft" };
}

/** A text without what can't be stored; undefined for a blank one and for other values. */
export function stringOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll("\0", "").toWellFormed();
  return text.trim() === "" ? undefined : text;
}

export const lineOf = (value: unknown): string | undefined => stringOf(plainLine(stringOf(value) ?? ""));

export const wordOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** The record without keys that have no value. */
export function withoutNothing<Keys extends Record<string, unknown>>(record: Keys): Keys {
  const filled = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(filled) as Keys;
}
