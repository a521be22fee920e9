import { invalid } from "../errors.ts";
import { quote } from "../text/quote.ts";
import type { Range } from "./scope.ts";

/** What a caller says of the days they mean. */
interface Wanted {
  start?: string | undefined;
  end?: string | undefined;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_660;

/** Before any day of the calendar that PostgreSQL and JavaScript share. */
const FIRST_DAY = "0001-01-01";

/**
 * The days from `start` to `end`, or to today.
 * @throws AppError invalid when one of them is none, or there are too many
 */
export function rangeOf({ start, end }: Wanted & { start: string }, now: Date): Range {
  return check({ start: dayOf("start", start), end: end === undefined ? today(now) : dayOf("end", end) });
}

/** The same where both may be left out; undefined is all time. */
export function optionalRange({ start, end }: Wanted, now: Date): Range | undefined {
  if (start !== undefined) return rangeOf({ start, end }, now);
  return end === undefined ? undefined : { start: FIRST_DAY, end: dayOf("end", end) };
}

/** Yesterday and today. */
export function pastDay(now: Date): Range {
  return { start: isoDay(now.getTime() - DAY_MS), end: today(now) };
}

/** Every day of a range, in order. */
export function daysOf({ start, end }: Range): string[] {
  const first = Date.parse(start);
  return Array.from({ length: lengthOf({ start, end }) }, (_, index) => isoDay(first + index * DAY_MS));
}

/** Sums of a unit that make up a range, added or taken away: of the days, or of the months with these first days. */
export interface Part extends Range {
  unit: "day" | "month";
  sign: 1 | -1;
}

/** As many days as a part may have at each end of a range. */
const MAX_EDGE = 15;

/** A range as whole months, and the days by which its ends are longer or shorter: at most 30 days in all. */
export function partsOf({ start, end }: Range): Part[] {
  const [startMonth, endMonth] = [monthOf(start), monthOf(end)];
  const [before, after] = [dayOfMonth(start) - 1, dayOfMonth(lastDayOf(endMonth)) - dayOfMonth(end)];
  const first = before <= MAX_EDGE ? startMonth : startMonth + 1;
  const last = after <= MAX_EDGE ? endMonth : endMonth - 1;
  if (first > last) return [{ unit: "day", sign: 1, start, end }];
  const parts: Part[] = [{ unit: "month", sign: 1, start: firstDayOf(first), end: firstDayOf(last) }];
  if (first > startMonth) parts.push({ unit: "day", sign: 1, start, end: lastDayOf(startMonth) });
  else if (before > 0)
    parts.push({ unit: "day", sign: -1, start: firstDayOf(startMonth), end: shift(start, -1) });
  if (last < endMonth) parts.push({ unit: "day", sign: 1, start: firstDayOf(endMonth), end });
  else if (after > 0) parts.push({ unit: "day", sign: -1, start: shift(end, 1), end: lastDayOf(endMonth) });
  return parts;
}

/** Months by number, so that they can be counted on. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
const dayOfMonth = (day: string): number => Number(day.slice(8));
const shift = (day: string, days: number): string => isoDay(Date.parse(day) + days * DAY_MS);

function firstDayOf(month: number): string {
  const year = String(Math.floor(month / 12)).padStart(4, "0");
  return `${year}-${String((month % 12) + 1).padStart(2, "0")}-01`;
}

function lastDayOf(month: number): string {
  const first = firstDayOf(month);
  const days = [31, 30, 29, 28].find((count) => shift(first, count - 1).startsWith(first.slice(0, 8)));
  return shift(first, (days ?? 28) - 1);
}

function check(range: Range): Range {
  if (range.end < range.start) throw invalid(`end must not be before start, which is ${range.start}`);
  if (lengthOf(range) <= MAX_DAYS) return range;
  throw invalid(`start and end must not be more than ${MAX_DAYS} days apart: ask for one part after another`);
}

function lengthOf({ start, end }: Range): number {
  return (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;
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
