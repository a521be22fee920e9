import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as queries from "./queries.ts";
import * as settlingQueries from "./settling-queries.ts";

/** So few at a time that nobody notices who waits for the endpoint. */
const BATCH = 2_000;

/** What an endpoint is told to become so that its deliveries follow. */
export const UNSETTLED = { settled_to: "0" };

/**
 * Changes some deliveries of an endpoint as its standing wants it: those that wait are given up when it is
 * disabled, and those that it missed are due when it is enabled. The rest is left to `settle`.
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
  // One that is disabled before it got all that it missed is owed that later.
  else await queries.update(tx, id, { settled_to: null, ...(!disabled_at && { missed_since: null }) });
}

/** Goes on where requests left much to be done, endpoint by endpoint in turns. */
export async function settle(db: Db, now: () => Date, signal?: AbortSignal): Promise<void> {
  const find = () => settlingQueries.findUnsettled(db);
  for (let ids = await find(); ids.length > 0; ids = await find()) {
    for (const id of ids) {
      if (signal?.aborted) return;
      await inTransaction(db, (tx) => settleSome(tx, id, now()));
    }
  }
}
