import type { Db } from "../../platform/db/connect.ts";
import * as fetches from "../../platform/fetches/fetches.ts";
import * as queries from "./queries.ts";

/** The kinds of fetches: a podcast for its feed, an episode for its recording. */
export const FEEDS = "podcast";
export const RECORDINGS = "episode";

export const HOUR_SECONDS = 3600;

export function watch(tx: Db, episodeIds: readonly number[], now: Date): Promise<void> {
  return fetches.schedule(tx, RECORDINGS, episodeIds, { at: now, withinSeconds: HOUR_SECONDS });
}

/**
 * Schedules the feeds of podcasts within the hour, unless they are gone, and their recordings; unschedules podcasts
 * without a feed.
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

/** Schedules podcasts whose feeds have another address. */
export async function scheduleAnew(tx: Db, podcastIds: readonly number[], now: Date): Promise<void> {
  await queries.forgetGone(tx, podcastIds);
  await fetches.unschedule(tx, FEEDS, podcastIds);
  await scheduleAll(tx, podcastIds, now);
}

/** Schedules checks of recordings that have another address. */
export async function watchAnew(tx: Db, episodes: readonly { id: number; podcast_id: number }[], now: Date) {
  await fetches.unschedule(
    tx,
    RECORDINGS,
    episodes.map(({ id }) => id),
  );
  await scheduleAll(tx, [...new Set(episodes.map(({ podcast_id }) => podcast_id))], now);
}
