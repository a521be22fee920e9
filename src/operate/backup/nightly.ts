import type { PoolConfig } from "pg";
import type { Config } from "../../platform/config.ts";
import type { Db } from "../../platform/db/connect.ts";
import { reasonOf } from "../../platform/db/failures.ts";
import { invalid } from "../../platform/errors.ts";
import type { Files } from "../../platform/files/files.ts";
import { placeOf } from "../../platform/files/open.ts";
import { ok, type Outcome, warn } from "../health/finding.ts";
import * as uploads from "../../community/uploads/files.ts";
import { lacking, writeBackup } from "./backup.ts";
import type { Place, PlaceSettings } from "./places.ts";
import { backupsAmong, expired, INCOMPLETE, nameOf, openPlace } from "./places.ts";
import * as queries from "./catalogue-queries.ts";

/** A night may fail. */
const LATE_MS = 48 * 3_600_000;

export interface NightlyOptions {
  config: Pick<Config, "baseUrl" | "backupKeepDays"> & PlaceSettings;
  db: Db;
  connection: PoolConfig;
  files: Files;
  now: () => Date;
  signal: AbortSignal;
  log: (level: "warn" | "error", line: string) => void;
}

/** Backups by the clock, for the jobs of a process with BACKUP_DIR. */
export interface Nightly {
  run: () => Promise<void>;
  /** Logs a warning if none can be written, and an error if the newest one is too old. */
  check: () => Promise<void>;
  ageSeconds: () => number | undefined;
}

export async function createNightly({ config, now, log, ...of }: NightlyOptions): Promise<Nightly> {
  const place = await openPlace(config);
  const begun = now();
  let newest: Date | undefined;

  async function run(): Promise<void> {
    const time = now();
    try {
      // Decided first, because a store can't rename an object.
      const isLacking = (await uploads.missing(of.db, of.files)).length > 0;
      const { missing } = await place.write(isLacking ? INCOMPLETE : nameOf(time), (sink) =>
        // The process may answer readers meanwhile.
        writeBackup({ ...of, baseUrl: config.baseUrl, parallel: 1, now: time }, sink),
      );
      if (missing > 0) throw invalid(lacking(missing, placeOf(config)));
      newest = time;
      await prune(place, { now: time, keepDays: config.backupKeepDays });
    } catch (error) {
      // The next server makes up for it.
      if (of.signal.aborted) throw error;
      log("error", `The backup to ${place.text} failed: ${reasonOf(error)}`);
      await queries.delayNext(of.db).catch(() => undefined);
      throw error;
    }
  }

  async function check(): Promise<void> {
    try {
      await place.prepare();
      newest = await newestIn(place, now());
    } catch (error) {
      log("warn", `No backup can be written to ${place.text} (${reasonOf(error)}): correct BACKUP_DIR.`);
    }
    const ageMs = now().getTime() - (newest ?? begun).getTime();
    if (ageMs > LATE_MS)
      log("error", `There has been no backup in ${place.text} for ${Math.floor(ageMs / 3_600_000)} hours`);
  }

  return { run, check, ageSeconds: () => newest && (now().getTime() - newest.getTime()) / 1_000 };
}

const newestIn = async (place: Place, now: Date): Promise<Date | undefined> =>
  backupsAmong(await place.list(), now)[0]?.time;

/** Only after a new one, so that the last good one stays. */
async function prune(place: Place, options: { now: Date; keepDays: number }): Promise<void> {
  for (const name of expired(await place.list(), options)) await place.remove(name);
}

const REMEDY = "the server's log says why";

export async function checkBackups(
  db: Db,
  { backupDir, ...config }: Pick<Config, "backupDir" | "dataDir" | "s3">,
): Promise<Outcome> {
  if (backupDir === undefined) return ok("BACKUP_DIR isn't set: the server makes none.");
  const place = await openPlace({ ...config, backupDir });
  const proof = await place.prove().then(() => undefined, reasonOf);
  if (proof !== undefined)
    return warn(
      `No backup can be written to ${place.text} (${proof}): the server makes the folder at its start, or its log says why not.`,
    );
  const now = new Date();
  const newest = await newestIn(place, now);
  const failure = await queries.lastFailure(db);
  if (failure !== undefined && !(newest !== undefined && newest > failure.at))
    return warn(`The last one to ${place.text} failed (${reasonOf(failure.reason)}): ${REMEDY}.`);
  if (newest === undefined) return warn(`None in ${place.text} yet: the server makes one every night.`);
  const ageMs = now.getTime() - newest.getTime();
  const age = `The newest in ${place.text} is ${Math.floor(ageMs / 3_600_000)} hours old`;
  return ageMs > LATE_MS ? warn(`${age}: ${REMEDY}.`) : ok(`${age}.`);
}
