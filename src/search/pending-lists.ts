import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { failureCode, LOCK_NOT_AVAILABLE } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";

/** Moves the entries that publications have appended to the text indexes to their places. */
export async function cleanPendingLists(db: Db): Promise<void> {
  try {
    await inTransaction(db, clean);
  } catch (error) {
    // A first import builds the indexes anew.
    if (failureCode(error) !== LOCK_NOT_AVAILABLE) throw error;
  }
}

async function clean(tx: Db): Promise<void> {
  await sql`lock table article_search in access share mode nowait`.execute(tx);
  await sql`select clean_pending_lists()`.execute(tx);
}
