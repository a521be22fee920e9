import { randomUUID } from "node:crypto";
import type { Db } from "../db/connect.ts";
import { type Consumed, consume, drain } from "../events/outbox.ts";
import * as queries from "./delivery-queries.ts";
import { dataOf, payloadOf, type ViewOptions } from "./event-data.ts";
import * as secretQueries from "./secret-queries.ts";
import * as subjectQueries from "./subject-queries.ts";

/** Events in one transaction, which costs more than each of them. */
const BATCH = 20;

interface FanOut {
  db: Db;
  baseUrl: string;
  now: () => Date;
  signal?: AbortSignal;
}

/**
 * Queues a delivery of each event for each endpoint that subscribes to it, and returns the number of events.
 * @throws the first of the failures, after everything else is done
 */
export function fanOut({ db, baseUrl, now, signal }: FanOut): Promise<number> {
  const handle = (tx: Db, event: Consumed<"webhooks">) => queueDeliveries(tx, event, { baseUrl, now: now() });
  return drain(consume(db, { consumer: "webhooks", handle, batch: BATCH }), { signal });
}

async function queueDeliveries(tx: Db, event: Consumed<"webhooks">, options: ViewOptions): Promise<void> {
  const { id: eventId, type, created_at } = event;
  const found = dataOf(event);
  const ownerId = await found?.ownerId(tx);
  if (found === undefined || ownerId === undefined) return;
  const endpointIds = await subjectQueries.subscribed(tx, ownerId, { event: type, eventId });
  const data = endpointIds.length > 0 ? await found.data(tx, options) : undefined;
  if (data === undefined) return;
  const payload = payloadOf(type, created_at, data);
  for (const endpointId of endpointIds) {
    await enqueue(tx, { endpointId, eventId, event: type, payload }, options.now);
  }
}

/**
 * Queues a delivery and returns its id; undefined when the endpoint has one of this event, is gone, or belongs to a
 * person who is suspended. A delivery for a disabled endpoint fails at once and is sent when the endpoint is enabled.
 * While a transaction locks the endpoint, the delivery waits for its outcome.
 */
export async function enqueue(tx: Db, delivery: queries.NewDelivery, now: Date): Promise<string | undefined> {
  const id = await queries.insert(tx, { ...delivery, webhookId: `msg_${randomUUID()}` }, now);
  if (id !== undefined) await queries.giveUpDisabled(tx, delivery.endpointId, now);
  return id;
}

/**
 * Makes a delivery due now. One that was over has all its attempts ahead of it again, and keeps the `webhook-id` by
 * which receivers know it. The caller has locked its endpoint, which isn't disabled.
 */
export function sendAgain(tx: Db, { id }: { id: string }, now: Date): Promise<queries.DeliveryRow> {
  return queries.makeDue(tx, id, now);
}

const KEPT_DAYS = 30;

/** Few enough that no write waits for the deletion of a busy day. */
const PURGE_BATCH = 5_000;

/**
 * Deletes old deliveries, among them those that wait for an owner who is suspended, and secrets that are no longer
 * valid; returns the number of deliveries.
 */
export async function purge(db: Db, now: Date): Promise<number> {
  await secretQueries.removeOver(db, now);
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  for (let total = 0; ;) {
    const purged = await queries.removeBefore(db, before, PURGE_BATCH);
    total += purged;
    if (purged < PURGE_BATCH) return total;
  }
}
