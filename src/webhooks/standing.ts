import type { Db } from "../db/connect.ts";
import * as events from "../events/events.ts";
import * as notifications from "../notifications/notifications.ts";
import * as queries from "./queries.ts";
import { settleSome, UNSETTLED } from "./settling.ts";

/**
 * Sends nothing more to an endpoint, gives up what waits for it and tells its owner; false when it is
 * disabled already, or gone.
 * @param reason a sentence for the owner
 */
export async function disable(tx: Db, endpointId: number, reason: string, now: Date): Promise<boolean> {
  const endpoint = await queries.lock(tx, endpointId);
  if (!endpoint || endpoint.disabled_at) return false;
  await queries.update(tx, endpointId, { disabled_at: now, disabled_reason: reason, ...UNSETTLED });
  await settleSome(tx, endpointId, now);
  const { user_id: userId } = endpoint;
  await notifications.tellOfDisabledWebhook(tx, { userId, webhookEndpointId: endpointId, now });
  await events.record(tx, "webhook_disabled", { user_id: userId, webhook_endpoint_id: endpointId });
  return true;
}

/**
 * Sends to an endpoint again, and everything that it has missed since it last worked; false when it isn't
 * disabled, or gone.
 */
export async function enable(tx: Db, endpointId: number, now: Date): Promise<boolean> {
  const endpoint = await queries.lock(tx, endpointId);
  if (!endpoint?.disabled_at) return false;
  const { disabled_at, user_id } = endpoint;
  const missed = [disabled_at, endpoint.failing_since, endpoint.missed_since].flatMap((date) => date ?? []);
  await queries.update(tx, endpointId, {
    disabled_at: null,
    disabled_reason: null,
    failing_since: null,
    missed_since: new Date(Math.min(...missed.map((date) => date.getTime()))),
    enabled_at: now,
    ...UNSETTLED,
  });
  await settleSome(tx, endpointId, now);
  await events.record(tx, "webhook_enabled", { user_id, webhook_endpoint_id: endpointId });
  return true;
}
