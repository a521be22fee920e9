import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalid } from "../../platform/errors.ts";
import * as deliveryQueries from "./delivery-queries.ts";
import * as endpointState from "./endpoint-state.ts";
import * as queries from "./queries.ts";
import * as queue from "./queue.ts";

export const list = queries.listWithOwners;

export async function listDeliveries(
  db: Db,
  filter: { endpointId: number; state?: string | undefined; limit: number },
) {
  await endpointOf(db, { id: filter.endpointId });
  return deliveryQueries.list(db, { ...filter, characters: 16_384 });
}

export const retry = (db: Db, deliveryId: number, now: Date) =>
  send(db, { deliveryId }, (tx, key) => queue.retry(tx, { key, deliveryId, now }));

export const ping = (db: Db, { id, ...options }: { id: number; baseUrl: string; now: Date }) =>
  send(db, { id }, (tx, key) => queue.ping(tx, { key, ...options }));

function send(
  db: Db,
  target: { id: number } | { deliveryId: number },
  queueOne: (tx: Db, key: queries.EndpointKey) => Promise<deliveryQueries.DeliveryRow>,
) {
  return inTransaction(db, async (tx) => {
    const { username, suspended, target_url, disabled_reason: _, ...key } = await endpointOf(tx, target);
    if (suspended)
      throw invalid(`${username} is suspended: nothing is sent to their endpoints until that is taken back.`);
    const { id, endpoint_id, event } = await queueOne(tx, key);
    return { id, endpoint_id, event, target_url };
  });
}

export function enable(db: Db, id: number, now: Date) {
  return inTransaction(db, async (tx) => {
    await endpointOf(tx, { id });
    return endpointState.enable(tx, id, now);
  });
}

async function endpointOf(db: Db, target: { id: number } | { deliveryId: number }) {
  const found = await queries.findWithOwner(db, target);
  if (found) return found;
  const [noun, id] = "id" in target ? ["webhook endpoint", target.id] : ["delivery", target.deliveryId];
  throw invalid(`There is no ${noun} with the id ${id}.`);
}
