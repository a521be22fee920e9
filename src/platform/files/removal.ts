import type { Db } from "../db/connect.ts";
import { tryLockShared } from "../db/locks.ts";
import { heldSince } from "../jobs/outbound.ts";
import type { Files } from "./files.ts";

export interface Store {
  db: Db;
  files: Files;
}

/** A transaction of so many doesn't idle for long. */
const BATCH = 100;

/**
 * Removes files that no row names any more, and returns their number. While a backup runs they stay, because they
 * belong to its snapshot; and in a restored site until it is let go, because the store may be that of the site that was
 * saved. The nightly sweep finds them.
 */
export async function removeFiles({ db, files }: Store, names: readonly string[]): Promise<number> {
  for (let start = 0; start < names.length; start += BATCH) {
    const isDone = await db.transaction().execute(async (tx) => {
      if (!(await tryLockShared(tx, "besideBackup")) || (await heldSince(tx)) !== undefined) return false;
      for (const name of names.slice(start, start + BATCH)) await files.remove(name);
      return true;
    });
    if (!isDone) return start;
  }
  return names.length;
}
