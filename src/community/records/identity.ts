import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { anyInt } from "../../platform/db/values.ts";

/** Later ids of the database continue after it, so it leaves room below the largest integer. */
export const MAX_RECORD_ID = 2_000_000_000;

const STEPS = 10_000;

/**
 * Reserves the ids of records: each for the first record, if no row has it. The sequence continues after the highest.
 */
export async function reserveIds(
  tx: Db,
  table: string,
  ids: readonly (number | undefined)[],
): Promise<(number | undefined)[]> {
  const stated = ids.filter((id) => id !== undefined);
  if (stated.length === 0) return ids.map(() => undefined);
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where id = ${anyInt(stated)}`.execute(tx);
  const taken = new Set(rows.map(({ id }) => id));
  const reserved = ids.map((id) => {
    if (id === undefined || taken.has(id)) return undefined;
    taken.add(id);
    return id;
  });
  await passIds(tx, table, reserved);
  return reserved;
}

/**
 * Lets new ids of the database be higher than these.
 *
 * Small gaps are consumed: setting the sequence could repeat an id that another transaction takes now. A concurrent
 * transaction doesn't take thousands.
 */
export async function passIds(tx: Db, table: string, ids: readonly (number | undefined)[]): Promise<void> {
  const last = Math.max(0, ...ids.map((id) => id ?? 0));
  await sql`
    select case when gap > ${STEPS} then setval(sequence, ${last}::bigint)
      else (select max(number) from (select nextval(sequence) as number from generate_series(1, gap)) as walk) end
    from (
      select sequence, ${last}::bigint - coalesce(pg_sequence_last_value(sequence), 0) as gap
      from cast(pg_get_serial_sequence(${table}, 'id') as regclass) as sequence
    ) as numbering
    where gap > 0`.execute(tx);
}
