import { fetchDue } from "../fetches/due.ts";
import type { Round } from "./feed-visit.ts";
import { FEEDS, HOUR_SECONDS } from "./schedule.ts";

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
