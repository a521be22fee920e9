import { invalid } from "../../platform/errors.ts";
import { quote } from "../../platform/text/quote.ts";
import type { Range } from "./queries.ts";

interface Wanted {
  start?: string | undefined;
  end?: string | undefined;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_660;

/** The first day that PostgreSQL and JavaScript share. */
const FIRST_DAY = "0001-01-01";

export function rangeOf({ start, end }: Wanted & { start: string }, now: Date): Range {
  return check({ start: dayOf("start", start), end: end === undefined ? today(now) : dayOf("end", end) });
}

/** The same with an optional start; undefined is all time. */
export function optionalRange({ start, end }: Wanted, now: Date): Range | undefined {
  if (start !== undefined) return rangeOf({ start, end }, now);
  return end === undefined ? undefined : { start: FIRST_DAY, end: dayOf("end", end) };
}

export function pastDay(now: Date): Range {
  return { start: isoDay(now.getTime() - DAY_MS), end: today(now) };
}

function check(range: Range): Range {
  if (range.end < range.start) throw invalid(`end must not be before start, which is ${range.start}`);
  if ((Date.parse(range.end) - Date.parse(range.start)) / DAY_MS < MAX_DAYS) return range;
  throw invalid(`start and end must not be more than ${MAX_DAYS} days apart: ask for one part after another`);
}

/** One-digit months and days are allowed. */
function dayOf(name: string, text: string): string {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (year === "") throw invalid("Date parameters 'start' or 'end' must be in the format of 'yyyy-mm-dd'");
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (isDay(iso)) return iso;
  throw invalid(`${name} must be a day of the calendar, not ${quote(text)}`);
}

/** Whether there is such a day: 30 February and the year 0 aren't. */
export function isDay(iso: string): boolean {
  const time = Date.parse(iso);
  return !Number.isNaN(time) && isoDay(time) === iso && iso >= FIRST_DAY;
}

const today = (now: Date): string => isoDay(now.getTime());
const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
