import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as events from "../events/events.ts";
import * as notifications from "../notifications/notifications.ts";
import type { Outcome } from "./attempt.ts";
import * as queries from "./queries.ts";
import { isGivenUp } from "./schedule.ts";
import * as settlingQueries from "./settling-queries.ts";

const GONE = "It answered with status 410, which says that it wants nothing more.";
const ONLY_FAILED = "Nothing could be delivered to it for five days.";

interface Endpoint {
  id: number;
  failing_since: Date | null;
}

/** Notes that an endpoint works or fails. One that is gone, or has only failed for days, is disabled. */
export async function noteResult(
  tx: Db,
  { id, failing_since: since }: Endpoint,
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
 * Disables an endpoint, gives up its pending deliveries and notifies its owner; false when it is disabled already, or
 * gone.
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
 * Enables an endpoint and makes due all that it has missed since it last worked; false when it isn't disabled, or gone.
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

/** Deliveries in one transaction: few enough that a writer who waits for the endpoint doesn't notice. */
const BATCH = 2_000;

/** The columns of an endpoint whose deliveries are to follow its state. */
export const UNSETTLED = { settled_to: "0" };

/**
 * Changes some deliveries of an endpoint as its state wants it: pending ones are given up when it is disabled, missed
 * ones are due when it is enabled. The rest is left to `settle`.
 */
export async function settleSome(tx: Db, id: number, now: Date): Promise<void> {
  const endpoint = await queries.lock(tx, id);
  if (!endpoint || endpoint.settled_to === null) return;
  const { disabled_at, missed_since: since, enabled_at: at } = endpoint;
  const next = { endpointId: id, after: endpoint.settled_to, limit: BATCH };
  // Not before it was disabled, whatever the clocks say: it is sent when the endpoint is enabled.
  const end = disabled_at && new Date(Math.max(now.getTime(), disabled_at.getTime()));
  const visited = end
    ? await settlingQueries.giveUp(tx, next, end)
    : await settlingQueries.makeDue(tx, next, { since: since ?? now, at: at ?? now });
  if (visited.count === BATCH) await queries.update(tx, id, { settled_to: visited.last });
  // An endpoint that is disabled before it got all that it missed is owed that later.
  else await queries.update(tx, id, { settled_to: null, ...(!disabled_at && { missed_since: null }) });
}

/** Continues where requests left much to be done; the endpoints take turns. */
export async function settle(db: Db, now: () => Date, signal?: AbortSignal): Promise<void> {
  const find = () => settlingQueries.findUnsettled(db);
  for (let ids = await find(); ids.length > 0; ids = await find()) {
    for (const id of ids) {
      if (signal?.aborted) return;
      await inTransaction(db, (tx) => settleSome(tx, id, now()));
    }
  }
}
