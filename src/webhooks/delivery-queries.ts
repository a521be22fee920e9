import { type Selectable, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { WebhookDeliveries } from "../db/tables.ts";
import type { EventName } from "./event-names.ts";

/** A delivery to be sent to an endpoint. */
export interface NewDelivery {
  endpointId: number;
  /** The number of the outbox's event; none for a ping. */
  eventId?: string;
  event: EventName | "ping";
  /** The exact text of the body. */
  payload: string;
}

/** The listed columns of a delivery. */
export type DeliveryRow = Pick<
  Selectable<WebhookDeliveries>,
  | "id"
  | "event"
  | "state"
  | "attempts"
  | "response_status"
  | "response_beginning"
  | "failure"
  | "next_attempt_at"
  | "created_at"
>;

const LISTED = [
  "webhook_deliveries.id",
  "event",
  "state",
  "attempts",
  "response_status",
  sql<string | null>`left(response_beginning, 1000)`.as("response_beginning"),
  "failure",
  "next_attempt_at",
  "webhook_deliveries.created_at",
] as const;

/** What is said of a delivery whose endpoint was disabled. */
export const GIVEN_UP = "The endpoint was disabled before this was delivered.";

/**
 * Writes a delivery, unless there is one of the same event. The endpoint is held no more than that it isn't
 * deleted, so that this waits for nobody who changes it.
 */
export async function insert(
  tx: Db,
  { endpointId, eventId, event, payload, webhookId }: NewDelivery & { webhookId: string },
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries
      (endpoint_id, event_id, webhook_id, event, payload, created_at, next_attempt_at)
    select id, ${eventId ?? null}::bigint, ${webhookId}, ${event}, ${payload}, ${now}::timestamptz, ${now}::timestamptz
    from (
      select id from webhook_endpoints
      where id = ${endpointId}
        and exists (select from users where users.id = webhook_endpoints.user_id and not users.suspended)
      for key share
    ) as endpoint
    on conflict (endpoint_id, event_id) do nothing
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** What a delivery becomes that is to be attempted at once, with all its attempts ahead of it. */
const due = (now: Date) => ({
  state: "pending",
  attempts: 0,
  next_attempt_at: now,
  finished_at: null,
  lease: null,
  leased_until: null,
});

/** Makes a delivery due. One that waits keeps its attempts, and one that is being attempted is let be. */
export async function makeDue(tx: Db, id: string, now: Date): Promise<DeliveryRow> {
  const delivery = tx.updateTable("webhook_deliveries").where("id", "=", id);
  await delivery.set(due(now)).where("state", "<>", "pending").execute();
  await delivery.set({ next_attempt_at: now }).where("next_attempt_at", ">", now).execute();
  return tx.selectFrom("webhook_deliveries").select(LISTED).where("id", "=", id).executeTakeFirstOrThrow();
}

/**
 * Gives up what waits for an endpoint that is disabled. One that somebody holds is left: nothing is sent there while
 * it is disabled, and all of it once it is enabled.
 */
export async function giveUpDisabled(tx: Db, endpointId: number, now: Date): Promise<void> {
  await sql`
    with disabled as (
      select id, disabled_at from webhook_endpoints
      where id = ${endpointId} and disabled_at is not null
      for no key update skip locked
    )
    update webhook_deliveries
    set state = 'failed', failure = ${GIVEN_UP}, next_attempt_at = null, lease = null, leased_until = null,
      -- Not before it was disabled, whatever the clocks say: it is sent when the endpoint is enabled.
      finished_at = greatest(${now}::timestamptz, disabled_at)
    from disabled
    where endpoint_id = disabled.id and state = 'pending'`.execute(tx);
}

export function find(db: Db, { endpointId, id }: { endpointId: number; id: number }) {
  return db
    .selectFrom("webhook_deliveries")
    .select(LISTED)
    .where("endpoint_id", "=", endpointId)
    .where("id", "=", String(id))
    .executeTakeFirst();
}

/** The deliveries of an endpoint, the newest first. */
export function list(
  db: Db,
  { endpointId, limit, offset }: { endpointId: number; limit: number; offset: number },
): Promise<DeliveryRow[]> {
  return db
    .selectFrom("webhook_deliveries")
    .select(LISTED)
    .where("endpoint_id", "=", endpointId)
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function count(db: Db, endpointId: number): Promise<number> {
  const { count } = await db
    .selectFrom("webhook_deliveries")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("endpoint_id", "=", endpointId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Deletes some of what was made until then and isn't being attempted; tells how many. Only somebody who is suspended
 * has anything waiting for so long.
 */
export async function removeBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at <= ${before} and (leased_until is null or leased_until <= now())
      limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
