import { wholeOf } from "../files/new-file.ts";

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const WEEKS = 4;

const NAME = /^inkstone-(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)(\d\d)\.tar$/;

/** In UTC. A file of another name is never removed. */
export function nameOf(time: Date): string {
  return `inkstone-${time.toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "")}.tar`;
}

/** Undefined for a file of another name. */
export function timeOf(name: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

interface Backup {
  name: string;
  time: Date;
}

/** The backups among the names, newest first. */
export function backupsAmong(names: readonly string[]): Backup[] {
  return names
    .flatMap((name) => {
      const time = timeOf(name);
      return time === undefined || Number.isNaN(time.getTime()) ? [] : { name, time };
    })
    .toSorted((one, other) => other.time.getTime() - one.time.getTime());
}

/** What killed processes left. */
function abandoned(names: readonly string[], now: Date): string[] {
  return names.filter((name) => {
    const time = timeOf(wholeOf(name) ?? "");
    return time !== undefined && now.getTime() - time.getTime() > DAY_MS;
  });
}

const weekOf = ({ time }: Backup) => Math.floor(time.getTime() / (WEEK_DAYS * DAY_MS));

/** The names to remove: those older than `keepDays`, but the newest, and for four weeks the first of each week. */
export function expired(
  names: readonly string[],
  { now, keepDays }: { now: Date; keepDays: number },
): string[] {
  const old = backupsAmong(names)
    .slice(1)
    .map((backup) => ({ ...backup, days: (now.getTime() - backup.time.getTime()) / DAY_MS }))
    .filter(({ days }) => days > keepDays);
  const firsts = new Map(old.map((backup) => [weekOf(backup), backup.name]));
  const unwanted = old.filter(
    (backup) => firsts.get(weekOf(backup)) !== backup.name || backup.days > keepDays + WEEKS * WEEK_DAYS,
  );
  return [...unwanted.map(({ name }) => name), ...abandoned(names, now)];
}
