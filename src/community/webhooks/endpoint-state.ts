import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as events from "../../platform/events/events.ts";
import { enqueue, type Jobs } from "../../platform/jobs/queue.ts";
import * as mails from "../../mail/queue.ts";
import * as notifications from "../notifications/notifications.ts";
import { isGivenUp, type Outcome } from "./attempt.ts";
import * as deliveryQueries from "./delivery-queries.ts";
import * as queries from "./queries.ts";

const GONE = "The endpoint responded with status 410 (Gone).";
const ONLY_FAILED = "No delivery to the endpoint has succeeded for five days.";

export async function noteResult(
  tx: Db,
  { id, failing_since: since }: { id: number; failing_since: Date | null },
  result: Outcome["result"],
  now: Date,
): Promise<void> {
  if (result === "stopped") return;
  if (result === "delivered") {
    if (since) await queries.update(tx, id, { failing_since: null });
    return;
  }
  if (!since) await queries.update(tx, id, { failing_since: now, attempted_at: now });
  if (result === "gone") await disable(tx, id, GONE, now);
  else if (isGivenUp(since ?? now, now)) await disable(tx, id, ONLY_FAILED, now);
}

/**
 * Disables an endpoint and notifies its owner; false when it is disabled already, or gone. Its pending deliveries are
 * shown as given up, and stay as they are until it is enabled.
 * @param reason a sentence for the owner
 */
export async function disable(tx: Db, endpointId: number, reason: string, now: Date): Promise<boolean> {
  const endpoint = await queries.lock(tx, endpointId);
  if (!endpoint || endpoint.disabled_at) return false;
  await queries.update(tx, endpointId, { disabled_at: now, disabled_reason: reason });
  const { user_id: userId } = endpoint;
  await notifications.notifyOfDisabledWebhook(tx, { userId, webhookEndpointId: endpointId, now });
  const about = { webhook_endpoint_id: endpointId };
  await mails.enqueue(tx, { kind: "webhook_disabled", userId, about }, now);
  await events.record(tx, "webhook_disabled", { user_id: userId, webhook_endpoint_id: endpointId });
  return true;
}

export async function findDisabled(db: Db, id: number) {
  const endpoint = await queries.findWithOwner(db, { id });
  return endpoint?.disabled_reason ? endpoint : undefined;
}

/**
 * Enables an endpoint and makes due all that it has missed since it last worked, a large rest in the background; false
 * when it isn't disabled, or gone.
 */
export async function enable(tx: Db, endpointId: number, now: Date): Promise<boolean> {
  const endpoint = await queries.lock(tx, endpointId);
  if (!endpoint?.disabled_at) return false;
  const { disabled_at, failing_since, user_id } = endpoint;
  await queries.update(tx, endpointId, { disabled_at: null, disabled_reason: null, failing_since: null });
  await deliveryQueries.giveUpPings(tx, endpointId, disabled_at);
  const since = failing_since && failing_since < disabled_at ? failing_since : disabled_at;
  const missed = { endpoint_id: endpointId, since: since.toISOString(), enabled_at: now.toISOString() };
  const rest = await deliveryQueries.makeMissedDue(tx, { ...missed, after: "0" });
  if (rest !== undefined) await enqueue(tx, "resend-missed", { ...missed, after: rest });
  await events.record(tx, "webhook_enabled", { user_id, webhook_endpoint_id: endpointId });
  return true;
}

export async function resendMissed(db: Db, missed: Jobs["resend-missed"]): Promise<void> {
  const after = await inTransaction(db, { unseen: true }, (tx) => deliveryQueries.makeMissedDue(tx, missed));
  if (after !== undefined) await resendMissed(db, { ...missed, after });
}
