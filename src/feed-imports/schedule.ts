import type { Db } from "../db/connect.ts";
import * as fetches from "../fetches/fetches.ts";

/** What feeds are called among all that is fetched. */
export const KIND = "feed";

export const HOUR_SECONDS = 3600;

/** Feeds whose times come all at once, as after a long stop, needn't all be fetched at once. */
export const CONCURRENCY = 3;

/** A hundred new items take a while to write; after a kill, others take over within a minute. */
export const LEASE_SECONDS = 50;

/** Has feeds fetched from now on; many at once are spread over an hour. */
export function schedule(tx: Db, ids: readonly number[], now: Date): Promise<void> {
  const withinSeconds = ids.length > CONCURRENCY ? HOUR_SECONDS : 0;
  return fetches.schedule(tx, KIND, ids, { at: now, withinSeconds });
}
