import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Everything that happens, by its name, and what is written down of it. */
export interface Events {
  user_created: { user_id: number };
  api_key_created: { user_id: number; api_key_id: number };
  setting_changed: { key: string };
  article_published: { article_id: number };
}

/**
 * Writes an event down in the transaction of its cause, so that there is an event exactly when the
 * change happened. Whoever wants to act on it reads the table.
 */
export async function record<Type extends keyof Events>(
  tx: Db,
  type: Type,
  payload: Events[Type],
): Promise<void> {
  await tx
    .insertInto("events")
    .values({ type, payload: JSON.stringify(payload) })
    .execute();
}

const KEPT_DAYS = 30;

/** Few enough that nobody waits for the deletion of a busy day. */
const PURGE_BATCH = 5_000;

/** Forgets events that everyone has had time to act on; returns how many. */
export async function purge(db: Db): Promise<number> {
  for (let total = 0; ;) {
    const { numAffectedRows } = await sql`
      delete from events where id in (
        select id from events where created_at < now() - ${KEPT_DAYS} * interval '1 day' limit ${PURGE_BATCH}
      )`.execute(db);
    const purged = Number(numAffectedRows ?? 0);
    total += purged;
    if (purged < PURGE_BATCH) return total;
  }
}
