import type { Db } from "../db/connect.ts";
import * as fetches from "../fetches/fetches.ts";
import * as queries from "./feed-queries.ts";

/** What stands in `fetches`: a podcast for its feed, an episode for its recording. */
export const FEEDS = "podcast";
export const RECORDINGS = "episode";

export const HOUR_SECONDS = 3600;

/** Has these recordings looked for, not all of them at once. */
export function watch(tx: Db, episodeIds: readonly number[], now: Date): Promise<void> {
  return fetches.schedule(tx, RECORDINGS, episodeIds, { at: now, withinSeconds: HOUR_SECONDS });
}

/**
 * Has the feeds of those of these podcasts that have one read within the hour, and their recordings
 * looked for; of others neither. What is scheduled already stays so.
 */
export async function scheduleAll(tx: Db, podcastIds: readonly number[], now: Date): Promise<void> {
  const read = await queries.withFeed(tx, podcastIds);
  const isRead = new Set(read);
  const others = podcastIds.filter((id) => !isRead.has(id));
  await fetches.schedule(tx, FEEDS, read, { at: now, withinSeconds: HOUR_SECONDS });
  await watch(tx, await queries.episodesOf(tx, read), now);
  await fetches.unschedule(tx, FEEDS, others);
  await fetches.unschedule(tx, RECORDINGS, await queries.episodesOf(tx, others));
}
