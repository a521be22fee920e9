const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const WEEKS = 4;

const NAME = /^inkstone-(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)(\d\d)\.tar$/;

/** The date is that of UTC. A file of another name is never removed. */
export const nameOf = (time: Date): string =>
  `inkstone-${time.toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "")}.tar`;

/** Undefined for a file of another name. */
export function timeOf(name: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** The newest backup that lacks images. It takes the place of no other one. */
export const INCOMPLETE = "inkstone-incomplete.tar";

export interface Listed {
  name: string;
  bytes: number;
}

interface Backup {
  name: string;
  time: Date;
}

/** The backups among the files, newest first. Empty ones and those from the future are none. */
export function backupsAmong(listed: readonly Listed[], now: Date): Backup[] {
  return listed
    .flatMap(({ name, bytes }) => {
      const time = timeOf(name);
      return time !== undefined && time <= now && bytes > 0 ? [{ name, time }] : [];
    })
    .toSorted((one, other) => other.time.getTime() - one.time.getTime());
}

const weekOf = ({ time }: Backup) => Math.floor(time.getTime() / (WEEK_DAYS * DAY_MS));

/** The names to remove: those older than `keepDays`, but the newest, and for four weeks the first of each week. */
export function expired(
  listed: readonly Listed[],
  { now, keepDays }: { now: Date; keepDays: number },
): string[] {
  const old = backupsAmong(listed, now)
    .slice(1)
    .map((backup) => ({ ...backup, days: (now.getTime() - backup.time.getTime()) / DAY_MS }))
    .filter(({ days }) => days > keepDays);
  const firsts = new Map(old.map((backup) => [weekOf(backup), backup.name]));
  const unwanted = old.filter(
    (backup) => firsts.get(weekOf(backup)) !== backup.name || backup.days > keepDays + WEEKS * WEEK_DAYS,
  );
  const incomplete = listed.filter(({ name }) => name === INCOMPLETE);
  return [...unwanted, ...incomplete].map(({ name }) => name);
}
