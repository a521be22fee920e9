import type { Db } from "../db/connect.ts";
import * as deliveryQueries from "./delivery-queries.ts";
import * as secretQueries from "./secret-queries.ts";

const KEPT_DAYS = 30;

/** Few enough that nobody waits for the deletion of a busy day. */
const PURGE_BATCH = 5_000;

/**
 * Forgets deliveries of long ago, also what waits for somebody who has been suspended since, and secrets that are over; returns
 * how many deliveries there were.
 */
export async function purge(db: Db, now: Date): Promise<number> {
  await secretQueries.removeOver(db, now);
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  for (let total = 0; ;) {
    const purged = await deliveryQueries.removeBefore(db, before, PURGE_BATCH);
    total += purged;
    if (purged < PURGE_BATCH) return total;
  }
}
