import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import * as deliveryQueries from "./delivery-queries.ts";
import * as endpointState from "./endpoint-state.ts";
import * as queries from "./operator-queries.ts";
import * as queue from "./queue.ts";

export const list = queries.listEndpoints;

/** @throws AppError invalid for an unknown endpoint */
export async function listDeliveries(
  db: Db,
  wanted: { endpointId: number; state?: string | undefined; limit: number },
) {
  await endpointOf(db, wanted.endpointId);
  return deliveryQueries.listWhole(db, wanted);
}

interface Sent {
  id: number;
  endpoint_id: number;
  event: string;
  target_url: string;
}

/** @throws AppError invalid for an unknown delivery, a disabled endpoint or a suspended owner */
export function retry(db: Db, deliveryId: number, now: Date): Promise<Sent> {
  return inTransaction(db, async (tx) => {
    const own = await queries.findEndpoint(tx, { deliveryId });
    if (!own) throw invalid(`There is no delivery with the id ${deliveryId}.`);
    requireSending(own);
    const { id, endpoint_id, event } = await queue.retry(tx, { own, deliveryId, now });
    return { id, endpoint_id, event, target_url: own.target_url };
  });
}

/** @throws AppError invalid for an unknown or disabled endpoint, or a suspended owner */
export function ping(
  db: Db,
  { id: endpointId, baseUrl, now }: { id: number; baseUrl: string; now: Date },
): Promise<Sent> {
  return inTransaction(db, async (tx) => {
    const own = await endpointOf(tx, endpointId);
    requireSending(own);
    const { id, endpoint_id, event } = await queue.ping(tx, { own, now, baseUrl });
    return { id, endpoint_id, event, target_url: own.target_url };
  });
}

/**
 * Returns whether the endpoint was disabled.
 * @throws AppError invalid for an unknown endpoint
 */
export function enable(
  db: Db,
  id: number,
  now: Date,
): Promise<{ id: number; target_url: string; changed: boolean }> {
  return inTransaction(db, async (tx) => {
    const { target_url } = await endpointOf(tx, id);
    return { id, target_url, changed: await endpointState.enable(tx, id, now) };
  });
}

function requireSending({ username, suspended }: { username: string; suspended: boolean }): void {
  if (suspended)
    throw invalid(`${username} is suspended: nothing is sent to their endpoints until that is taken back.`);
}

async function endpointOf(db: Db, id: number) {
  const own = await queries.findEndpoint(db, { id });
  if (!own) throw invalid(`There is no webhook endpoint with the id ${id}.`);
  return own;
}
