import type { FeedItem } from "./feed.ts";
import { cleanLine } from "./values.ts";

/** The offsets of zones, in minutes east of Greenwich. */
const ZONES = new Map(
  `z:0 ut:0 utc:0 gmt:0 wet:0 west:60 bst:60 cet:60 cest:120 mez:60 mesz:120 eet:120 eest:180 msk:180 trt:180 est:-300
  edt:-240 cst:-360 cdt:-300 mst:-420 mdt:-360 pst:-480 pdt:-420 brt:-180 art:-180 jst:540 ist:330 aest:600 aedt:660`
    .split(/\s+/)
    .map((zone) => zone.split(":"))
    .map(([name = "", minutes]) => [name, Number(minutes)]),
);

const DAY_FIRST =
  /^(?:[\p{L}\p{M}.-]+,?\s+)?(\d{1,2})\.?[\s-]+([\p{L}\p{M}]{3,12})\.?,?[\s-]+(\d{4}|\d{2})(?:,?\s+(.*))?$/u;
const MONTH_FIRST = /^(?:\p{L}+,?\s+)?(\p{L}{3,12})\.?\s+(\d{1,2}),?\s+(\d{4})(?:,?\s+(.*))?$/u;
/** In `1er mai`, `2 de mayo de 2020` and `2 мая 2020 г.`. */
const BETWEEN = /(?<=\d)(?:er|º|st|nd|rd|th)(?=\s)|\sdel?(?=\s)|\sг\.?(?=,|\s|$)/giu;
const YEAR_FIRST = /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:[tT\s]\s*(.*))?$/;
const TIME = /^(\d{1,2})[:.h]?(\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([ap]m)?\s*(.*)$/i;
const OFFSET = /^(?:gmt|utc|ut)?\s*([+-])(\d{1,2}):?(\d{2})?(?:\s*\(.*\))?$/i;

/** The first date that can be read; else, what stands in its place. */
export function datesOf(...texts: (string | undefined)[]): Pick<FeedItem, "publishedAt" | "unreadableDate"> {
  const [first, ...others] = texts.flatMap((text) => cleanLine(text) ?? []);
  const publishedAt = [first, ...others].map(readDate).find((date) => date !== undefined);
  return publishedAt === undefined ? { unreadableDate: first } : { publishedAt };
}

/** Ignores weekdays, which are often wrong; without a zone it is UTC. Undefined for an impossible time. */
export function readDate(text: string | undefined): Date | undefined {
  const line = text?.slice(0, 100).normalize("NFC").replaceAll(/\s+/g, " ").replaceAll(BETWEEN, "") ?? "";
  const dayFirst = DAY_FIRST.exec(line);
  if (dayFirst) return moment(fullYear(dayFirst[3]), monthOf(dayFirst[2]), dayFirst[1], dayFirst[4]);
  const yearFirst = YEAR_FIRST.exec(line);
  if (yearFirst) return moment(Number(yearFirst[1]), Number(yearFirst[2]), yearFirst[3], yearFirst[4]);
  const monthFirst = MONTH_FIRST.exec(line);
  if (monthFirst) return moment(Number(monthFirst[3]), monthOf(monthFirst[1]), monthFirst[2], monthFirst[4]);
  return undefined;
}

function moment(year: number, month: number, day = "1", time = ""): Date | undefined {
  const clock = time === "" ? { minutes: 0, seconds: 0 } : readTime(time);
  if (clock === undefined || !isDay(year, month, Number(day))) return undefined;
  const date = new Date(Date.UTC(year, month - 1, Number(day), 0, clock.minutes, clock.seconds));
  return date.getTime() > 0 && date.getUTCFullYear() < 10_000 ? date : undefined;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function readTime(text: string): { minutes: number; seconds: number } | undefined {
  const [, hour = "", minute = "", second = "0", half, zone = ""] = TIME.exec(text) ?? [];
  if (hour === "" || Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0);
  return { minutes: hours * 60 + Number(minute) - zoneOffset(zone), seconds: Number(second) };
}

/** An unknown zone counts as UTC: half a day off is better than no date. */
function zoneOffset(zone: string): number {
  const [, sign, hours, minutes = "0"] = OFFSET.exec(zone) ?? [];
  if (sign === undefined) return ZONES.get(zone.toLowerCase()) ?? 0;
  const offset = Number(hours) * 60 + Number(minutes);
  return offset > 14 * 60 ? 0 : offset * (sign === "-" ? -1 : 1);
}

const LANGUAGES = "en en-GB de de-AT fr es pt it nl pl sv da nb fi cs ru tr uk ro".split(" ");
/** Beside a day, some languages have another form: `wrzesień`, `24 września`. */
const FORMS = [{ month: "long" }, { month: "short" }, { month: "long", day: "numeric" }] as const;
let months: Map<string, number> | undefined;

/** A month by its name or the beginning of it; 0 for a word that begins several, or none. */
function monthOf(name = ""): number {
  months ??= readMonths();
  const word = name.toLowerCase();
  const begun = new Set([...months].filter(([known]) => known.startsWith(word)).map(([, month]) => month));
  return months.get(word) ?? (begun.size === 1 ? Math.max(...begun) : 0);
}

function readMonths(): Map<string, number> {
  const found = new Map<string, number>();
  const formats = LANGUAGES.flatMap((language) =>
    FORMS.map((form) => new Intl.DateTimeFormat(language, { ...form, timeZone: "UTC" })),
  );
  for (const format of formats) {
    for (let index = 0; index < 12; index += 1) {
      const text = format.format(Date.UTC(2024, index)).toLowerCase();
      found.set(/[\p{L}\p{M}]{3,}/u.exec(text)?.[0] ?? "", index + 1);
    }
  }
  return found;
}

function fullYear(year = ""): number {
  if (year.length === 4) return Number(year);
  return Number(year) + (Number(year) < 70 ? 2000 : 1900);
}
