import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Something that has happened, as the outbox holds it. */
export interface Task {
  event_id: string;
  type: string;
  payload: unknown;
  created_at: Date;
}

/**
 * The events that have waited longest to be looked at and that no other process looks at. Due by the
 * database's clock.
 */
export function lockNext(tx: Db, limit: number): Promise<Task[]> {
  return tx
    .selectFrom("webhook_tasks")
    .innerJoin("events", "events.id", "webhook_tasks.event_id")
    .select(["event_id", "type", "payload", "created_at"])
    .where("due_at", "<=", sql<Date>`now()`)
    .orderBy("due_at")
    .orderBy("event_id")
    .limit(limit)
    .forUpdate("webhook_tasks")
    .skipLocked()
    .execute();
}

/** Lets the transaction fail rather than wait for what somebody else holds, such as an endpoint that is deleted. */
export async function limitWaiting(tx: Db): Promise<void> {
  await sql`set local lock_timeout = '1s'`.execute(tx);
}

/** Whether there is anything to look at. */
export async function hasDue(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from webhook_tasks where due_at <= now()) as found`.execute(db);
  return rows[0]?.found ?? false;
}

export async function remove(tx: Db, tasks: readonly Task[]): Promise<void> {
  const ids = tasks.map(({ event_id }) => event_id);
  await sql`delete from webhook_tasks where event_id = any(${ids}::bigint[])`.execute(tx);
}

/** Leaves one alone for so long. */
export async function postpone(db: Db, eventId: string, seconds: number): Promise<void> {
  await sql`
    update webhook_tasks set due_at = now() + make_interval(secs => ${seconds})
    where event_id = ${eventId}`.execute(db);
}
