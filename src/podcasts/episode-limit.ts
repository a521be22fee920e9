import type { Db } from "../db/connect.ts";
import type { FeedEpisode } from "./feed-episodes.ts";
import * as feedQueries from "./feed-queries.ts";
import { match } from "./matching.ts";

/** So many a podcast has at most, so that a feed that names everything anew each time doesn't fill the disk. */
export const MAX_EPISODES = 10_000;

/**
 * Those of a feed's episodes that there is room for in a podcast, which this transaction holds: all that are
 * there, and new ones in the order of the feed until it is full.
 */
export async function fitting(
  tx: Db,
  podcastId: number,
  episodes: readonly FeedEpisode[],
): Promise<readonly FeedEpisode[]> {
  const room = MAX_EPISODES - (await feedQueries.countEpisodes(tx, podcastId));
  if (episodes.length <= room) return episodes;
  const rows = await feedQueries.findAlike(tx, podcastId, feedQueries.marksOf(episodes));
  const superfluous = new Set(match(episodes, rows).fresh.slice(Math.max(room, 0)));
  return episodes.filter((episode) => !superfluous.has(episode));
}
