import { sql } from "kysely";
import { importFile, type Summary } from "../src/community-file/import.ts";
import type { Db } from "../src/db/connect.ts";
import { inTransaction } from "../src/db/transaction.ts";
import { bytesOf, type Line } from "./community-file.ts";
import type { World } from "./world.ts";

let serial = 0;

/** The unchanged records at the end of the file. */
export const REPEATED = 3;

/**
 * Imports these records, and does something else while they are written and the import isn't over. What
 * `meanwhile` begins and doesn't wait for goes on while the import ends.
 */
export function importAround(
  { db, services, context }: World,
  records: Line[],
  meanwhile: () => Promise<void> | void,
): Promise<Summary> {
  async function* file(): AsyncGenerator<Buffer> {
    // A repeated record is a batch of its own: they fill the look-ahead, so those before them are written.
    const last = { type: "tag", name: `last${++serial}` };
    yield bytesOf([...records, last, ...Array.from({ length: REPEATED }, () => last)]);
    await meanwhile();
  }
  return importFile(db, file(), { renderPool: services.renderPool, now: context.now() });
}

/** Does this in a transaction that fails when it must wait for another one for seconds. */
export function withoutWaiting<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '5s'`.execute(tx);
    return work(tx);
  });
}
