import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { purgeRows } from "../../platform/db/batches.ts";
import type { Db } from "../../platform/db/connect.ts";
import { IS_FREE } from "../../platform/db/lease.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { jsonNames } from "../../platform/db/values.ts";
import type { Jobs } from "../../platform/jobs/queue.ts";
import type { EventName } from "./schema.ts";

export interface NewDelivery {
  endpointId: number;
  /** The id of the outbox's event; none for a ping. */
  eventId?: string;
  event: EventName | "ping";
  payload: string;
}

const GIVEN_UP = "The endpoint was disabled before this was delivered.";

/** A pending delivery counts as given up while its endpoint is disabled; enabling makes it due. */
const IS_GIVEN_UP = sql`(state = 'pending' and disabled_at is not null)`;
const STATE = sql<string>`case when ${IS_GIVEN_UP} then 'failed' else state end`;

/** Deliveries as they are shown, the newest first, with the characters of an answer that the API shows. */
function select(db: Db, characters = 1_000) {
  return db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_endpoints", "webhook_endpoints.id", "endpoint_id")
    .select(["endpoint_id", "event", "webhook_id", STATE.as("state"), "attempts", "response_status"])
    .select(["duration_ms", "webhook_deliveries.created_at"])
    .select([
      // A JSON number holds it.
      sql<number>`webhook_deliveries.id::float8`.as("id"),
      sql<string | null>`case when ${IS_GIVEN_UP} then ${GIVEN_UP} else failure end`.as("failure"),
      sql<string | null>`left(response_beginning, ${characters})`.as("response_beginning"),
      sql<Date | null>`case when disabled_at is null then next_attempt_at end`.as("next_attempt_at"),
      sql<Date | null>`case when ${IS_GIVEN_UP} then disabled_at else finished_at end`.as("finished_at"),
    ])
    .orderBy("webhook_deliveries.id", "desc");
}

export type DeliveryRow = Awaited<ReturnType<typeof list>>[number];

export function find(db: Db, { endpointId, id }: { endpointId: number; id: number }) {
  return select(db)
    .where("endpoint_id", "=", endpointId)
    .where("webhook_deliveries.id", "=", String(id))
    .executeTakeFirst();
}

interface Listing {
  endpointId: number;
  limit: number;
  offset?: number;
  state?: string | undefined;
  characters?: number;
}

export function list(db: Db, { endpointId, limit, offset = 0, state, characters }: Listing) {
  return select(db, characters)
    .where("endpoint_id", "=", endpointId)
    .$if(state !== undefined, (query) => query.where(STATE, "=", state ?? ""))
    .limit(limit)
    .offset(offset)
    .execute();
}

interface Columns {
  endpoints: number[];
  events: (string | null)[];
  names: string[];
  types: string[];
  payloads: string[];
  now: Date;
}

const insertColumns = prepare<Columns, { id: string }>(
  (value) => sql`
    with active as (
      select id from webhook_endpoints
      where id = any(${value("endpoints")}::int[])
        and exists (select from users where users.id = webhook_endpoints.user_id and not users.suspended)
      order by id for key share
    )
    insert into webhook_deliveries
      (endpoint_id, event_id, webhook_id, event, payload, created_at, next_attempt_at)
    select active.id, delivery.event_id, delivery.webhook_id, delivery.event, delivery.payload,
      ${value("now")}::timestamptz, ${value("now")}::timestamptz
    from unnest(
      ${value("endpoints")}::int[], ${value("events")}::bigint[], ${value("names")}::text[],
      ${value("types")}::text[], ${value("payloads")}::text[]
    ) with ordinality as delivery (endpoint_id, event_id, webhook_id, event, payload, place)
    join active on active.id = delivery.endpoint_id
    order by delivery.place
    on conflict (endpoint_id, event_id) do nothing
    returning id`,
);

/**
 * Queues deliveries in this order, and returns their ids. It leaves out those of an event that their endpoint has one
 * of, and those of endpoints that are gone or belong to people who are suspended. It locks the endpoints only against
 * deletion, so it waits for no other change of them.
 */
export async function insertAll(tx: Db, deliveries: readonly NewDelivery[], now: Date): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const rows = await insertColumns(tx, {
    endpoints: deliveries.map(({ endpointId }) => endpointId),
    events: deliveries.map(({ eventId }) => eventId ?? null),
    names: deliveries.map(() => `msg_${randomUUID()}`),
    types: deliveries.map(({ event }) => event),
    payloads: deliveries.map(({ payload }) => payload),
    now,
  });
  return rows.map(({ id }) => id);
}

export async function insert(tx: Db, delivery: NewDelivery, now: Date): Promise<string | undefined> {
  return (await insertAll(tx, [delivery], now))[0];
}

/** Makes a delivery due. A pending one keeps its attempts, and one that is being attempted stays as it is. */
export async function makeDue(tx: Db, id: number, now: Date): Promise<void> {
  const delivery = tx.updateTable("webhook_deliveries").where("id", "=", String(id));
  const again = { state: "pending", attempts: 0, next_attempt_at: now, finished_at: null };
  await delivery.set(again).where("state", "<>", "pending").execute();
  await delivery.set({ next_attempt_at: now }).where("next_attempt_at", ">", now).execute();
}

export async function markDelivered(tx: Db, id: number, at: Date): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ state: "delivered", attempts: 1, response_status: 200, next_attempt_at: null, finished_at: at })
    .where("id", "=", String(id))
    .execute();
}

/** Deliveries in one transaction: few enough that a writer who waits for the endpoint doesn't notice. */
const BATCH = 2_000;

/**
 * Makes due what the next deliveries of an endpoint have missed, with all attempts ahead of them: those that ended
 * without success since a moment, and those that were pending when it was enabled. Returns the last id of the batch,
 * undefined when it was the last batch.
 */
export async function makeMissedDue(
  tx: Db,
  { endpoint_id, since, enabled_at, after }: Jobs["resend-missed"],
): Promise<string | undefined> {
  const { rows } = await sql<{ count: number; last: string | null }>`
    with visited as materialized (
      select id from webhook_deliveries where endpoint_id = ${endpoint_id} and id > ${after}::bigint
      order by id limit ${BATCH}
    ), made_due as (
      update webhook_deliveries
      set state = 'pending', attempts = 0, next_attempt_at = ${enabled_at}, finished_at = null
      where id in (select id from visited) and event <> 'ping' and lease is null and (
        (state in ('failed', 'exhausted') and finished_at >= ${since})
        or (state = 'pending' and created_at < ${enabled_at} and next_attempt_at <> ${enabled_at})
      )
    )
    select count(*)::int as count, max(id) as last from visited`.execute(tx);
  const [visited] = rows;
  return visited?.count === BATCH ? (visited.last ?? undefined) : undefined;
}

/** Gives up the pings of an endpoint that was disabled: its owner sends another one. */
export async function giveUpPings(tx: Db, endpointId: number, at: Date): Promise<void> {
  await tx
    .updateTable("webhook_deliveries")
    .set({ state: "failed", failure: GIVEN_UP, next_attempt_at: null, finished_at: at })
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "pending")
    .where("event", "=", "ping")
    .where("lease", "is", null)
    .execute();
}

export function purge(db: Db, before: Date): Promise<number> {
  return purgeRows(db, "webhook_deliveries", sql`created_at <= ${before} and ${IS_FREE}`);
}

export function removeQuoting(db: Db, userIds: readonly number[]): Promise<number> {
  return purgeRows(db, "webhook_deliveries", jsonNames("payload", "user_id", userIds));
}
