import { fetchDue } from "../../platform/fetches/due.ts";
import type { Round } from "./feed-visit.ts";
import { FEEDS, HOUR_SECONDS } from "./schedule.ts";

export function refreshDue(round: Round, ids?: readonly number[]): Promise<number> {
  return fetchDue({
    ...round,
    kind: FEEDS,
    everySeconds: HOUR_SECONDS,
    concurrency: 4,
    ...(ids && { ids }),
    // Reading loads much, and most processes never read a feed.
    handle: async (claim) => (await import("./feed-refresh.ts")).refresh(round, claim),
  });
}
