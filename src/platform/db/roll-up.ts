import { type RawBuilder, sql } from "kysely";
import type { Db } from "./connect.ts";
import { type LockName, takeTurn } from "./locks.ts";
import { inTransaction } from "./transaction.ts";

/** How appended changes are added up, so that writers who change the same sum don't wait for each other. */
export interface RollUp {
  /** The ids of the changes. Those above 0 are taken in the order of the column `id`. */
  table: string;
  lock: LockName;
  /** The number of changes that one transaction adds up, for which a stopping program waits. */
  batch: number;
  /** Common table expressions that add up `taken`, the removed changes. */
  step: RawBuilder<unknown>;
}

/** An import takes larger batches: in its transaction each batch leaves a dead row for each of its sums. */
const BATCH_OF_TRANSACTION = 1_000_000;

/** Adds up the present changes, batch by batch. One process at a time does so; another returns at once. */
export async function rollUp(db: Db, { batch, ...options }: RollUp, signal?: AbortSignal): Promise<number> {
  // Spares an idle site a transaction.
  if (!(await hasChanges(db, options.table))) return 0;
  const limit = db.isTransaction ? BATCH_OF_TRANSACTION : batch;
  // Reading from the beginning again would pass all removed rows.
  for (let total = 0, after = "0"; ;) {
    if (signal?.aborted) return total;
    const taken = await inTransaction(db, async (tx) =>
      (await takeTurn(tx, options.lock, db.isTransaction)) ? take(tx, options, { after, limit }) : undefined,
    );
    total += taken?.count ?? 0;
    if (taken === undefined || taken.count < limit) return total;
    after = taken.last;
  }
}

async function hasChanges(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} where id > 0 order by id limit 1`.execute(db);
  return rows.length > 0;
}

async function take(
  tx: Db,
  { table, step }: Pick<RollUp, "table" | "step">,
  { after, limit }: { after: string; limit: number },
) {
  const { rows } = await sql<{ count: number; last: string }>`
    with taken as (
      delete from ${sql.table(table)} where id = any(array(
        select id from ${sql.table(table)} where id > ${after}::bigint order by id limit ${limit}))
      returning *
    ), ${step}
    select count(*)::int as count, coalesce(max(id), 0)::text as last from taken`.execute(tx);
  return rows[0];
}
