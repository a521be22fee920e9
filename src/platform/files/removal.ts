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

/** While a backup runs, or a restored site is held, files stay. The nightly sweep finds them. */
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
