/** A date as answers hold it: ISO 8601 in UTC with whole seconds. */
export const timestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** Gives `Mar 2` for a date in the year of `now`, and `Mar 2 '24` for any other, in UTC. */
export function readableDate(date: Date, now: Date): string {
  const day = `${shortMonth(date)} ${date.getUTCDate()}`;
  const year = date.getUTCFullYear();
  if (year === now.getUTCFullYear()) return day;
  return `${day} '${String(year % 100).padStart(2, "0")}`;
}

/** Gives `Mar  2, 2024`, in UTC, with the day in two columns. */
export function paddedDate(date: Date): string {
  const day = String(date.getUTCDate()).padStart(2);
  return `${shortMonth(date)} ${day}, ${date.getUTCFullYear()}`;
}

export const monthOf = (date: Date): string => MONTHS[date.getUTCMonth()] as string;

export const shortMonth = (date: Date): string => monthOf(date).slice(0, 3);

/** Gives `2 March 2026 at 09:15 UTC`. */
export function formatMoment(date: Date): string {
  const day = `${date.getUTCDate()} ${monthOf(date)} ${date.getUTCFullYear()}`;
  return `${day} at ${date.toISOString().slice(11, 16)} UTC`;
}

const MOMENT =
  /^([1-9]\d{3})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?[ ]?(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/** 2026-03-02, with a time and zone or without (UTC). Undefined for other texts and impossible days. */
export function parseMoment(text: string): Date | undefined {
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] =
    MOMENT.exec(text) ?? [];
  if (year === undefined) return undefined;

  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const local = new Date(`${written}.${fraction.padEnd(3, "0").slice(0, 3)}Z`);
  // Date reads 30 February as 2 March.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(written)) return undefined;
  const offset = offsetMinutes(zone);
  return offset === undefined ? undefined : new Date(local.getTime() - offset * 60_000);
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

const NUMBERS =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:(?:[Tt]|[ \t]+)(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(.{0,20}))?$/;
/** Dates of mails and feeds. */
const WORDS = /^(?:[a-z]{3,9},?[ \t]+)?(\d{1,2})[ \t]+([a-z]{3,9})[ \t]+(\d{4})((?:[ \t][^.]*)?)$/i;
/** Programs often add its name. */
const OFFSET = /^([+-]\d{2}:?\d{2})(?:[ \t]+\(?[A-Za-z]{1,5}\)?)?$/;

/** Dates of site generators and editors, also without leading zeros, with slashes, or as in mails. */
export function parseFileDate(text: string): Date | undefined {
  const moment = parseMoment(text);
  if (moment) return moment;
  const found = NUMBERS.exec(inNumbers(text));
  const zone = zoneOf(found?.[8]?.trim() ?? "");
  if (!found || zone === undefined) return undefined;
  const numbers: (string | undefined)[] = found.slice(1, 7);
  const [year, month, day, hour, minute, second] = numbers.map((number = "0") => number.padStart(2, "0"));
  return parseMoment(`${year}-${month}-${day}T${hour}:${minute}:${second}${found[7] ?? ""}${zone}`);
}

function inNumbers(text: string): string {
  const [, day, name = "", year, time] = WORDS.exec(text) ?? [];
  const isNamed = (month: string) => [month, month.slice(0, 3)].includes(name.toLowerCase());
  const month = MONTHS.findIndex((month) => isNamed(month.toLowerCase())) + 1;
  return month === 0 ? text : `${year}-${month}-${day}${time}`;
}

const zoneOf = (text: string): string | undefined =>
  /^(?:|Z|UTC|GMT|UT)$/i.test(text) ? "Z" : OFFSET.exec(text)?.[1];
