import type { Db } from "../db/connect.ts";
import { invalid, notFound } from "../errors.ts";
import { type Consumed, consume, drain } from "../events/outbox.ts";
import * as queries from "./delivery-queries.ts";
import { get, lock } from "./endpoints.ts";
import { dataOf, payloadOf, type ViewOptions } from "./event-data.ts";
import * as endpointQueries from "./queries.ts";
import * as view from "./view.ts";

/** Events in one transaction, which costs more than each of them. */
const BATCH = 100;

export { removeQuoting } from "./delivery-queries.ts";

/**
 * Queues a delivery of each event for each endpoint that subscribes to it, and returns the number of events.
 * @throws the first of the failures, after everything else is done
 */
export function fanOut(
  db: Db,
  { baseUrl, now, signal }: { baseUrl: string; now: () => Date; signal?: AbortSignal },
): Promise<number> {
  const handle = (tx: Db, events: Event[]) => queueDeliveries(tx, events, { baseUrl, now: now() });
  return drain(consume(db, { consumer: "webhooks", handle, batch: BATCH }), { signal });
}

type Event = Consumed<"webhooks">;

async function queueDeliveries(tx: Db, events: Event[], options: ViewOptions): Promise<void> {
  const owned = events.flatMap((event) => {
    const found = dataOf(event);
    return found ? [{ event, found }] : [];
  });
  const subscribed = await endpointQueries.subscribed(
    tx,
    owned.map(({ event: { id, type }, found }) => ({ id, type, ...found.owner })),
  );
  const deliveries: queries.NewDelivery[] = [];
  for (const { event, found } of owned) {
    const endpointIds = subscribed.flatMap(({ eventId, endpointId }) =>
      eventId === event.id ? [endpointId] : [],
    );
    const data = endpointIds.length > 0 ? await found.data(tx, options) : undefined;
    if (data === undefined) continue;
    const payload = payloadOf(event.type, event.created_at, data);
    for (const endpointId of endpointIds)
      deliveries.push({ endpointId, eventId: event.id, event: event.type, payload });
  }
  await queries.insertAll(tx, deliveries, options.now);
}

/**
 * Sends a delivery again, whatever came of it. A finished delivery has all its attempts ahead of it again, and keeps
 * the `webhook-id` by which receivers know it.
 */
export async function retry(
  tx: Db,
  { key, deliveryId, now }: { key: endpointQueries.EndpointKey; now: Date; deliveryId: number },
): Promise<queries.DeliveryRow> {
  const endpoint = await lock(tx, key);
  const delivery = await queries.find(tx, { endpointId: endpoint.id, id: deliveryId });
  if (!delivery) throw notFound();
  requireEnabled(endpoint);
  await queries.makeDue(tx, delivery.id, now);
  return (await queries.find(tx, { endpointId: endpoint.id, id: deliveryId })) ?? delivery;
}

/** Sends an endpoint its own attributes, so that its owner sees whether it listens. */
export async function ping(
  tx: Db,
  { key, now, baseUrl }: { key: endpointQueries.EndpointKey; now: Date; baseUrl: string },
): Promise<queries.DeliveryRow> {
  const endpoint = await lock(tx, key);
  requireEnabled(endpoint);
  const payload = payloadOf("ping", now, view.webhook(await get(tx, key), baseUrl));
  const id = await queries.insert(tx, { endpointId: endpoint.id, event: "ping", payload }, now);
  const delivery = id && (await queries.find(tx, { endpointId: endpoint.id, id: Number(id) }));
  // An import suspends people without waiting for their requests.
  if (!delivery) throw notFound();
  return delivery;
}

/** Records a ping that each endpoint of a user has accepted, without sending it. */
export async function recordPings(
  tx: Db,
  { userId, now, baseUrl }: { userId: number; now: Date; baseUrl: string },
): Promise<void> {
  for (const { id } of await endpointQueries.list(tx, userId)) {
    const delivery = await ping(tx, { key: { id, userId }, now, baseUrl });
    await queries.markDelivered(tx, delivery.id, now);
  }
}

function requireEnabled({ id, disabled_at }: { id: number; disabled_at: Date | null }): void {
  if (disabled_at === null) return;
  throw invalid(
    `The webhook endpoint is disabled: enable it first by POST /api/webhooks/${id}/enable, which also sends what it has missed`,
  );
}

const KEPT_DAYS = 30;

/** Deletes old deliveries and expired secrets; returns the number of deliveries. */
export async function purge(db: Db, now: Date): Promise<number> {
  await endpointQueries.removeExpiredSecrets(db, now);
  return queries.purge(db, new Date(now.getTime() - KEPT_DAYS * 86_400_000));
}
