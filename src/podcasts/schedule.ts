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
 * Has the feeds of those of these podcasts that have one read within the hour, unless they are gone, and
 * their recordings looked for; of others neither. What is scheduled already stays so.
 */
export async function scheduleAll(tx: Db, podcastIds: readonly number[], now: Date): Promise<void> {
  const withFeed = await queries.withFeed(tx, podcastIds);
  const followed = withFeed.map(({ id }) => id);
  const read = withFeed.flatMap(({ id, isGone }) => (isGone ? [] : [id]));
  await fetches.schedule(tx, FEEDS, read, { at: now, withinSeconds: HOUR_SECONDS });
  await watch(tx, await queries.episodesOf(tx, followed), now);
  const others = podcastIds.filter((id) => !followed.includes(id));
  await fetches.unschedule(tx, FEEDS, others);
  await fetches.unschedule(tx, RECORDINGS, await queries.episodesOf(tx, others));
}

/** What was remembered of these feeds was of another address. */
export async function scheduleAnew(tx: Db, podcastIds: readonly number[], now: Date): Promise<void> {
  await queries.forgetGone(tx, podcastIds);
  await fetches.unschedule(tx, FEEDS, podcastIds);
  await scheduleAll(tx, podcastIds, now);
}

/** The same of these recordings; those whose podcast has no feed are left alone. */
export async function watchAnew(tx: Db, episodes: readonly { id: number; podcast_id: number }[], now: Date) {
  await fetches.unschedule(
    tx,
    RECORDINGS,
    episodes.map(({ id }) => id),
  );
  await scheduleAll(tx, [...new Set(episodes.map(({ podcast_id }) => podcast_id))], now);
}
