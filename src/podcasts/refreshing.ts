import type { Db } from "../db/connect.ts";
import { fetchDue } from "../fetches/due.ts";
import type { Outside } from "./feed-visit.ts";
import { FEEDS, HOUR_SECONDS } from "./schedule.ts";

/** What a look at the outside needs. */
export interface Round {
  db: Db;
  outside: Outside;
  now: () => Date;
  signal?: AbortSignal | undefined;
}

/** Reads every feed whose time has come, or those of these podcasts, and returns how many there were. */
export function refreshDue(round: Round, ids?: readonly number[]): Promise<number> {
  return fetchDue({
    ...round,
    kind: FEEDS,
    everySeconds: HOUR_SECONDS,
    concurrency: 4,
    ...(ids && { ids }),
    // Most processes never read a feed, for which much is loaded.
    handle: async (claim) => (await import("./feed-refresh.ts")).refresh(round, claim),
  });
}
