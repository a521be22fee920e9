import { sql } from "kysely";
import { importFile, type Summary } from "../src/community-file/import.ts";
import type { Db } from "../src/db/connect.ts";
import { inTransaction } from "../src/db/transaction.ts";
import { bytesOf, type Line } from "./community-file.ts";
import type { World } from "./world.ts";

let serial = 0;

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
    // A record of another type sends those before it to the database.
    yield bytesOf([...records, { type: "tag", name: `last${++serial}` }]);
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
