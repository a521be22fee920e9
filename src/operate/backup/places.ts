import { constants } from "node:fs";
import { access, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Config } from "../../platform/config.ts";
import { BACKUPS } from "../../platform/files/files.ts";
import { removeAbandoned, writeNewFile } from "../../platform/files/new-file.ts";
import { openFiles, placeOf } from "../../platform/files/open.ts";
import { makeFolders } from "../../platform/folders.ts";

/** Where BACKUP_DIR is. */
export interface Place {
  list: () => Promise<Listed[]>;
  /** Rejects if nothing can be written there, as far as that shows without writing. */
  prove: () => Promise<unknown>;
  prepare: () => Promise<unknown>;
  /** The file is there when it is whole. */
  write: <T>(name: string, write: (sink: Writable) => Promise<T>) => Promise<T>;
  remove: (name: string) => Promise<void>;
  text: string;
}

export type PlaceSettings = Pick<Config, "dataDir" | "s3"> & { backupDir: string };

export const openPlace = async (config: PlaceSettings): Promise<Place> =>
  config.backupDir === "s3" ? openBucketPlace(config) : openFolder(config.backupDir);

export function openFolder(folder: string): Place {
  const prove = () => access(folder, constants.W_OK | constants.X_OK);
  const prepare = async () => {
    makeFolders(folder, 0o700);
    await prove();
  };
  return {
    prove,
    prepare,
    async list() {
      const names = await readdir(folder).catch(ifMissing);
      const listed = names.map(async (name) => {
        const found = await stat(join(folder, name)).catch(() => undefined);
        return found?.isFile() ? [{ name, bytes: found.size }] : [];
      });
      return (await Promise.all(listed)).flat();
    },
    async write(name, write) {
      await prepare();
      await removeAbandoned(folder, (whole) => timeOf(whole) !== undefined);
      return writeNewFile(join(folder, name), { force: true }, write);
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    text: folder,
  };
}

function ifMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

async function openBucketPlace(config: PlaceSettings): Promise<Place> {
  const { s3 } = config;
  if (s3 === undefined) throw new Error("BACKUP_DIR is s3 without a store.");
  const { createUpload } = await import("../../platform/files/s3.ts");
  const [files, place] = [await openFiles(config), placeOf(config)];
  const list = async () => {
    const listed: Listed[] = [];
    for await (const { name, bytes = 0 } of files.list(BACKUPS.slice(0, -1)))
      listed.push({ name: name.slice(BACKUPS.length), bytes });
    return listed;
  };
  return {
    list,
    prove: list,
    prepare: list,
    async write(name, write) {
      const sink = createUpload(s3, place, BACKUPS + name);
      // Thrown by whoever writes or waits.
      sink.on("error", () => {});
      try {
        const result = await write(sink);
        sink.end();
        await finished(sink);
        return result;
      } catch (error) {
        if (!sink.closed) await new Promise((resolve) => sink.once("close", resolve).destroy());
        throw error;
      }
    },
    remove: (name) => files.remove(BACKUPS + name),
    text: `${BACKUPS} of ${place}`,
  };
}

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const WEEKS = 4;
const NAME = /^inkstone-(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)(\d\d)\.tar$/;

/** The date is that of UTC. A file of another name is never removed. */
export const nameOf = (time: Date): string =>
  `inkstone-${time.toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "")}.tar`;

export function timeOf(name: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** The newest backup that lacks images. It takes the place of no other one. */
export const INCOMPLETE = "inkstone-incomplete.tar";

interface Listed {
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
export function expired(listed: readonly Listed[], { now, keepDays }: { now: Date; keepDays: number }) {
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
