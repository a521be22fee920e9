import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { reasonOf } from "../db/failures.ts";
import { type Outcome, ok, warn } from "../health/finding.ts";
import * as queries from "./catalogue-queries.ts";
import { LATE_MS, newestIn } from "./nightly.ts";
import { openPlace } from "./places.ts";

const REMEDY = "the server's log says why";

/** Whether the nightly backups of BACKUP_DIR are made. */
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
