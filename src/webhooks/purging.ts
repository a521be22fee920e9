import type { Db } from "../db/connect.ts";
import * as deliveryQueries from "./delivery-queries.ts";

const KEPT_DAYS = 30;

/** Few enough that nobody waits for the deletion of a busy day. */
const PURGE_BATCH = 5_000;

/** Forgets deliveries of long ago, also what waits for somebody who has been suspended since; returns how many there were. */
export async function purge(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  for (let total = 0; ;) {
    const purged = await deliveryQueries.removeBefore(db, before, PURGE_BATCH);
    total += purged;
    if (purged < PURGE_BATCH) return total;
  }
}
