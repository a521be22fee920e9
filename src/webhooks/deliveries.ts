import type { Db } from "../db/connect.ts";
import { invalid, notFound } from "../errors.ts";
import * as deliveryQueries from "./delivery-queries.ts";
import { hold } from "./endpoints.ts";
import { payloadOf } from "./event-data.ts";
import type * as queries from "./queries.ts";
import { enqueue, sendAgain } from "./queue.ts";

interface Wanted {
  own: queries.Own;
  now: Date;
}

/**
 * Sends a delivery of somebody's endpoint again, whatever came of it.
 * @throws AppError not_found, invalid when the endpoint is disabled
 */
export async function retry(
  tx: Db,
  { own, deliveryId, now }: Wanted & { deliveryId: number },
): Promise<deliveryQueries.DeliveryRow> {
  const endpoint = await hold(tx, own);
  const delivery = await deliveryQueries.find(tx, { endpointId: endpoint.id, id: deliveryId });
  if (!delivery) throw notFound();
  requireEnabled(endpoint);
  return sendAgain(tx, delivery, now);
}

/**
 * Sends an endpoint what it is, so that its owner sees whether it listens.
 * @param show gives the endpoint as its owner sees it
 * @throws AppError not_found, unauthorized, invalid when the endpoint is disabled
 */
export async function ping(
  tx: Db,
  { own, now, show }: Wanted & { show: () => Promise<object> },
): Promise<deliveryQueries.DeliveryRow> {
  const endpoint = await hold(tx, own);
  requireEnabled(endpoint);
  const payload = payloadOf("ping", now, await show());
  const id = await enqueue(tx, { endpointId: endpoint.id, event: "ping", payload }, now);
  const delivery = id && (await deliveryQueries.find(tx, { endpointId: endpoint.id, id: Number(id) }));
  // An import suspends people without waiting for their requests.
  if (!delivery) throw notFound();
  return delivery;
}

function requireEnabled({ id, disabled_at }: { id: number; disabled_at: Date | null }): void {
  if (disabled_at === null) return;
  throw invalid(
    `The webhook endpoint is disabled: enable it first by POST /api/webhooks/${id}/enable, which also sends what it has missed`,
  );
}
