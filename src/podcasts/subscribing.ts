import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import * as fetches from "../fetches/fetches.ts";
import { isExplained } from "../fetches/outcome.ts";
import { quote } from "../text/quote.ts";
import { storedUrl } from "../users/profile-fields.ts";
import { episodesOf } from "./feed-episodes.ts";
import * as feedQueries from "./feed-queries.ts";
import { type Outside, type Visit, visit } from "./feed-visit.ts";
import { columnsOf, fill } from "./filling.ts";
import { canBeSlug } from "./podcasts.ts";
import * as queries from "./queries.ts";
import { FEEDS, HOUR_SECONDS } from "./schedule.ts";
import { podcastSlugs } from "./slugs.ts";

interface NewPodcast {
  feedUrl: string;
  ownerId: number | undefined;
}

/** A podcast and how it stands with its feed. */
export interface PodcastStatus {
  id: number;
  slug: string;
  title: string;
  feed_url: string | null;
  owner: string | null;
  published: boolean;
  episodes: number;
  /** When the feed was last read without a fault, and when it is read next. */
  succeeded_at: Date | null;
  due_at: Date | null;
  /** Why it can't be read, or is read no more. */
  problem: string | null;
}

/**
 * Reads a feed, and makes a podcast of it that follows the feed from then on.
 * @throws AppError invalid when it can't be read, holds no recordings or is a podcast already
 */
export async function add(
  db: Db,
  outside: Outside,
  { feedUrl, ownerId, now }: NewPodcast & { now: Date },
): Promise<PodcastStatus> {
  const url = storedUrl("The feed's address", feedUrl);
  if (url === null) throw invalid("The feed's address can't be blank");
  await refuseKnown(db, [url]);
  const found = await read(outside, url);
  const episodes = await episodesOf(found.feed, now);
  if (episodes.length === 0 && found.feed.items.length > 0) {
    throw invalid(`There are no recordings in the feed ${quote(url)}: give the address of a podcast's feed.`);
  }
  const id = await inTransaction(db, async (tx) => {
    await feedQueries.holdAdding(tx);
    await refuseKnown(tx, [url, found.address]);
    const id = await insert(tx, found, ownerId);
    const { hasMore } = await fill(tx, id, { episodes, now });
    await fetches.begin(tx, FEEDS, id, { fetched: hasMore ? {} : found, now, everySeconds: HOUR_SECONDS });
    return id;
  });
  return firstOf(await statuses(db, [id]));
}

async function read(outside: Outside, url: string): Promise<Visit & { feed: NonNullable<Visit["feed"]> }> {
  try {
    const found = await visit(outside, { url });
    const { feed } = found;
    if (feed === undefined) throw invalid("The host says that the feed hasn't changed, without having been asked.");
    return { ...found, feed };
  } catch (error) {
    if (!isExplained(error)) throw error;
    throw invalid(`The feed ${quote(url)} can't be read: ${error.message}`);
  }
}
