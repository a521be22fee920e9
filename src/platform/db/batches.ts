import { type RawBuilder, sql } from "kysely";
import type { Db } from "./connect.ts";

/** Repeats a step that handles at most `limit` rows until it handles fewer, and returns their number. */
export async function inBatches(limit: number, step: (limit: number) => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const handled = await step(limit);
    total += handled;
    if (handled < limit) return total;
  }
}

/** The rows of a short transaction. */
const PURGE_BATCH = 5_000;

export function purgeRows(db: Db, table: string, condition: RawBuilder<unknown>): Promise<number> {
  return inBatches(PURGE_BATCH, async (limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${condition} limit ${limit} for update skip locked
      ))`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
}
