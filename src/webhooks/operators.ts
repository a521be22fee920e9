import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import { timestamp } from "../text/dates.ts";
import * as deliveryQueries from "./delivery-queries.ts";
import * as operatorQueries from "./operator-queries.ts";
import * as queries from "./queries.ts";
import * as queue from "./queue.ts";
import * as endpointState from "./endpoint-state.ts";
import * as view from "./view.ts";

/** Everybody's endpoints, or one person's. */
export async function list(db: Db, userId: number | undefined) {
  const rows = await operatorQueries.listEndpoints(db, userId);
  return rows.map((row) => ({
    ...row,
    created_at: timestamp(row.created_at),
    disabled_at: row.disabled_at && timestamp(row.disabled_at),
    failing_since: row.failing_since && timestamp(row.failing_since),
  }));
}

/** The keys of a delivery. */
export const DELIVERY_KEYS = [
  "id",
  "endpoint_id",
  "event",
  "webhook_id",
  "state",
  "attempts",
  "response_status",
  "failure",
  "response_beginning",
  "duration_ms",
  "next_attempt_at",
  "created_at",
  "finished_at",
] as const;

/**
 * Deliveries of an endpoint, the newest first.
 * @throws AppError invalid when there is no such endpoint
 */
export async function listDeliveries(
  db: Db,
  wanted: { endpointId: number; state?: string | undefined; limit: number },
) {
  await endpointOf(db, wanted.endpointId);
  const rows = await deliveryQueries.listWhole(db, wanted);
  return rows.map((row) => ({
    id: Number(row.id),
    endpoint_id: row.endpoint_id,
    event: row.event,
    webhook_id: row.webhook_id,
    state: row.state,
    attempts: row.attempts,
    response_status: row.response_status,
    failure: row.failure,
    response_beginning: row.response_beginning,
    duration_ms: row.duration_ms,
    next_attempt_at: row.next_attempt_at && timestamp(row.next_attempt_at),
    created_at: timestamp(row.created_at),
    finished_at: row.finished_at && timestamp(row.finished_at),
  }));
}

/** What is to be sent, and where. */
export interface Sent {
  id: number;
  endpoint_id: number;
  event: string;
  target_url: string;
}

/**
 * Sends a delivery again, whatever came of it.
 * @throws AppError invalid when there is none of this number, its endpoint is disabled, or the owner suspended
 */
export function retry(db: Db, deliveryId: number, now: Date): Promise<Sent> {
  return inTransaction(db, async (tx) => {
    const own = await operatorQueries.findEndpointOf(tx, deliveryId);
    if (!own) throw invalid(`There is no delivery with the id ${deliveryId}.`);
    requireSending(own);
    const { event } = await queue.retry(tx, { own, deliveryId, now });
    return { id: deliveryId, endpoint_id: own.id, event, target_url: own.target_url };
  });
}

/**
 * Sends an endpoint what it is.
 * @throws AppError invalid when there is none of this number, it is disabled, or the owner suspended
 */
export function ping(
  db: Db,
  { id, baseUrl, now }: { id: number; baseUrl: string; now: Date },
): Promise<Sent> {
  return inTransaction(db, async (tx) => {
    const own = await endpointOf(tx, id);
    requireSending(own);
    const show = async () => {
      const row = await queries.find(tx, own);
      return row ? view.webhook(row, baseUrl) : {};
    };
    const { id: deliveryId, event } = await queue.ping(tx, { own, now, show });
    return { id: Number(deliveryId), endpoint_id: id, event, target_url: own.target_url };
  });
}

/**
 * Sends to an endpoint again, and what it has missed; tells whether it was disabled.
 * @throws AppError invalid when there is none of this number
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

/** @throws AppError invalid when nothing is sent to this person's endpoints */
function requireSending({ username, suspended }: { username: string; suspended: boolean }): void {
  if (suspended)
    throw invalid(`${username} is suspended: nothing is sent to their endpoints until that is taken back.`);
}

async function endpointOf(db: Db, id: number) {
  const own = await operatorQueries.findEndpoint(db, id);
  if (!own) throw invalid(`There is no webhook endpoint with the id ${id}.`);
  return own;
}
