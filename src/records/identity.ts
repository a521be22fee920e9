import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/**
 * Highest number a record may bring. Numbers given by the database go on after it, so it must leave
 * room below the largest integer.
 */
export const MAX_RECORD_ID = 2_000_000_000;

const STEPS = 10_000;

/** Tables whose numbers records may bring along. */
export type Numbered =
  | "users"
  | "organizations"
  | "tags"
  | "articles"
  | "podcasts"
  | "podcast_episodes"
  | "comments"
  | "listings"
  | "listing_categories"
  | "webhook_endpoints";

/**
 * Gives out the numbers that records bring along: each to the first that asks for it, if no row has
 * it yet. The table's own numbering goes on after the highest of them.
 */
export async function reserveIds(
  tx: Db,
  table: Numbered,
  wanted: readonly (number | undefined)[],
): Promise<(number | undefined)[]> {
  const asked = wanted.filter((id) => id !== undefined);
  if (asked.length === 0) return wanted.map(() => undefined);
  const rows = await tx.selectFrom(table).select("id").where("id", "in", asked).execute();
  const taken = new Set(rows.map(({ id }) => id));
  const given = wanted.map((id) => {
    if (id === undefined || taken.has(id)) return undefined;
    taken.add(id);
    return id;
  });
  await moveIdentity(tx, table, Math.max(0, ...given.map((id) => id ?? 0)));
  return given;
}

/**
 * Small gaps are walked, because others may take numbers at this very moment and setting the
 * sequence would give one of theirs out again; nobody takes thousands meanwhile.
 */
async function moveIdentity(tx: Db, table: string, last: number): Promise<void> {
  await sql`
    select case when gap > ${STEPS} then setval(sequence, ${last}::bigint)
      else (select max(number) from (select nextval(sequence) as number from generate_series(1, gap)) as walk) end
    from (
      select sequence, ${last}::bigint - coalesce(pg_sequence_last_value(sequence), 0) as gap
      from cast(pg_get_serial_sequence(${table}, 'id') as regclass) as sequence
    ) as numbering
    where gap > 0`.execute(tx);
}
