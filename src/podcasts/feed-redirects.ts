import type { Db } from "../db/connect.ts";
import { FetchProblem } from "../fetches/fetch-problem.ts";
import type { FeedEpisode } from "./feed-episodes.ts";
import * as feedQueries from "./feed-queries.ts";
import { match } from "./matching.ts";
import type { PodcastRow } from "./queries.ts";

interface Move {
  address: string;
  /** What is found there; undefined when it is as it was. */
  title: string | undefined;
  episodes: readonly FeedEpisode[] | undefined;
}

/**
 * Lets a podcast's feed have another address only where the same feed is, and that of no other podcast.
 * Asked while nobody else adds one.
 * @throws FetchProblem
 */
export async function judgeMove(
  tx: Db,
  podcast: PodcastRow,
  { address, title, episodes }: Move,
): Promise<void> {
  const other = await feedQueries.findByFeed(tx, [address]);
  if (other) throw new FetchProblem(`The feed has moved to the one of the podcast ${other.slug}.`);
  if (episodes === undefined || title === podcast.title) return;
  const rows = await feedQueries.findAlike(tx, podcast.id, feedQueries.marksOf(episodes));
  if (match(episodes, rows).known.length > 0) return;
  // One that has brought nothing so far can't be told from another.
  if ((await feedQueries.countEpisodes(tx, podcast.id)) === 0) return;
  throw new FetchProblem("The feed's address leads to another feed by now.");
}
