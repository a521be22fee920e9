import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import { inTransaction } from "../db/transaction.ts";

/** No setting that anybody sets: written by a restore, so that no copy of a site does what the site does too. */
const KEY = "outbound_held_since";

/** Keeps deliveries and fetches from leaving by themselves. Those that an operator's command asks for still do. */
export async function hold(db: Db, at: Date): Promise<void> {
  await sql`
    insert into settings (key, value, updated_at) values (${KEY}, to_jsonb(${at.toISOString()}::text), ${at})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`.execute(db);
}

export async function heldSince(db: Db): Promise<Date | undefined> {
  const [row] = await find(db, {});
  return row && new Date(row.since);
}

const find = prepare<object, { since: string }>(
  () => sql`select value #>> '{}' as since from settings where key = ${sql.lit(KEY)}`,
);

/** A restored site sends and saves nothing by itself until `inkstone outbound resume`. */
export const unlessHeld =
  <Args extends unknown[]>(db: Db, work: (...args: Args) => Promise<unknown>) =>
  async (...args: Args) =>
    (await heldSince(db)) === undefined && work(...args);

/** Lets deliveries and fetches go; false when nothing was held. */
export function resume(db: Db): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("settings")
      .where("key", "=", KEY)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  });
}
