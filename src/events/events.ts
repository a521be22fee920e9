import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Everything that happens, by its name, and what is written down of it. */
export interface Events {
  user_created: { user_id: number };
  user_updated: { user_id: number };
  api_key_created: { user_id: number; api_key_id: number };
  api_key_revoked: { user_id: number; api_key_id: number };
  setting_changed: { key: string };
  image_uploaded: { user_id: number; name: string };
  image_removed: { user_id: number; name: string };
  organization_created: { organization_id: number };
  organization_updated: { organization_id: number };
  organization_member_added: { organization_id: number; user_id: number };
  organization_member_changed: { organization_id: number; user_id: number };
  organization_member_removed: { organization_id: number; user_id: number };
  /** `published`: whether readers see it; to them a draft isn't news. */
  article_created: { article_id: number; published: boolean };
  /** `published`: whether readers see it, or saw it before. */
  article_updated: { article_id: number; published: boolean };
  /** `again`: it was published before, so it is no news. */
  article_published: { article_id: number; again?: boolean };
  article_unpublished: { article_id: number };
  /** Holds what can't be looked up any more; `published`: whether readers saw it. */
  article_destroyed: {
    article_id: number;
    author_id: number;
    title: string;
    path: string;
    published: boolean;
  };
  article_restored: { article_id: number };
}

/** An event by its name, with what is written down of it. */
export type Event = { [Type in keyof Events]: readonly [type: Type, payload: Events[Type]] }[keyof Events];

/**
 * Writes an event down in the transaction of its cause, so that there is an event exactly when the
 * change happened. Whoever wants to act on it reads the table.
 */
export async function record<Type extends keyof Events>(
  tx: Db,
  type: Type,
  payload: Events[Type],
): Promise<void> {
  await insert(tx, [{ type, payload }]);
}

/** Writes several down that one change causes, in their order. */
export async function recordAll(tx: Db, events: readonly Event[]): Promise<void> {
  await insert(
    tx,
    events.map(([type, payload]) => ({ type, payload })),
  );
}

async function insert(tx: Db, events: { type: string; payload: object }[]): Promise<void> {
  const rows = events.map(({ type, payload }) => ({ type, payload: JSON.stringify(payload) }));
  await tx.insertInto("events").values(rows).execute();
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
