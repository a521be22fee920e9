import { randomUUID } from "node:crypto";
import type { Db } from "../db/connect.ts";
import * as queries from "./delivery-queries.ts";

/**
 * Puts a delivery in the queue and gives its number; undefined when the endpoint has had one of this
 * event, is gone, or belongs to somebody who is suspended. One for an endpoint that is disabled fails
 * at once, to be sent when it is enabled; while somebody holds the endpoint it waits for the same.
 */
export async function enqueue(tx: Db, delivery: queries.NewDelivery, now: Date): Promise<string | undefined> {
  const id = await queries.insert(tx, { ...delivery, webhookId: `msg_${randomUUID()}` }, now);
  if (id !== undefined) await queries.giveUpDisabled(tx, delivery.endpointId, now);
  return id;
}

/**
 * Makes a delivery due now. One that was over has all its attempts ahead of it again, and the `webhook-id`
 * by which receivers know it. Whoever calls this holds its endpoint, which isn't disabled.
 */
export function sendAgain(tx: Db, { id }: { id: string }, now: Date): Promise<queries.DeliveryRow> {
  return queries.makeDue(tx, id, now);
}
