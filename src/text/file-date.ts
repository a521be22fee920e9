import { parseMoment } from "./moment.ts";

const NUMBERS =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:(?:[Tt]|[ \t]+)(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(.{0,20}))?$/;
/** As mails and feeds have it. */
const WORDS =
  /^(?:[A-Za-z]{3,9},?[ \t]+)?(\d{1,2})[ \t]+([A-Za-z]{3,9})[ \t]+(\d{4})(?:[ \t]+(\d{1,2}):(\d{2})(?::(\d{2}))?(.{0,20}))?$/;
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
/** An offset, behind which programs often name it. */
const OFFSET = /^([+-]\d{2}:?\d{2})(?:[ \t]+\(?[A-Za-z]{1,5}\)?)?$/;

/**
 * Reads the date that site generators and editors write into a file: what parseMoment reads, without
 * leading zeros, with slashes, with `UTC` or an offset behind it, or as mails have it. UTC where no zone
 * is given. Gives undefined for anything else.
 */
export function parseFileDate(text: string): Date | undefined {
  const moment = parseMoment(text);
  if (moment) return moment;
  const numbers = NUMBERS.exec(text);
  if (numbers) {
    const [, year, month, day, hour, minute, second, fraction, zone] = numbers;
    return compose({ year, month, day }, { hour, minute, second, fraction, zone });
  }
  const [, day, name = "", year, hour, minute, second, zone] = WORDS.exec(text) ?? [];
  const month = monthOf(name.toLowerCase());
  return month === undefined ? undefined : compose({ year, month, day }, { hour, minute, second, zone });
}

function monthOf(name: string): string | undefined {
  const index = MONTHS.findIndex((month) => name === month || name === month.slice(0, 3));
  return index === -1 ? undefined : String(index + 1);
}

type Parts<Name extends string> = Partial<Record<Name, string | undefined>>;

function compose(date: Parts<"year" | "month" | "day">, time: Parts<TimePart>): Date | undefined {
  const zone = zoneOf(time.zone?.trim() ?? "");
  if (zone === undefined) return undefined;
  const day = `${date.year}-${padded(date.month)}-${padded(date.day)}`;
  if (time.hour === undefined) return parseMoment(day);
  const clock = `${padded(time.hour)}:${padded(time.minute)}:${padded(time.second)}`;
  return parseMoment(`${day}T${clock}${time.fraction ?? ""}${zone}`);
}

type TimePart = "hour" | "minute" | "second" | "fraction" | "zone";

function zoneOf(text: string): string | undefined {
  return /^(?:|Z|UTC|GMT|UT)$/i.test(text) ? "Z" : OFFSET.exec(text)?.[1];
}

function padded(number = "0"): string {
  return number.padStart(2, "0");
}
