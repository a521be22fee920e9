import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalid } from "../../platform/errors.ts";
import type { Feed } from "../../content/feeds/feed.ts";
import * as fetches from "../../platform/fetches/fetches.ts";
import { scheduleFetched, unreadable } from "../../platform/fetches/outcome.ts";
import { quote } from "../../platform/text/quote.ts";
import { storedUrl } from "../users/fields.ts";
import * as handles from "../users/handles.ts";
import * as users from "../users/users.ts";
import { episodesOf } from "./feed-episodes.ts";
import * as queries from "./queries.ts";
import { type Outside, type Round, visitFirst } from "./feed-visit.ts";
import { columnsOf, syncEpisodes } from "./sync-episodes.ts";
import { list, named, type PodcastStatus, removeAll } from "./podcasts.ts";
import { fetchedFrom } from "./feed-refresh.ts";
import { refreshDue } from "./refreshing.ts";
import { FEEDS, HOUR_SECONDS, scheduleAll } from "./schedule.ts";
import { podcastSlugs } from "./slugs.ts";

interface NewPodcast {
  feedUrl: string;
  ownerId?: number | undefined;
}

/**
 * Makes a podcast of a feed, and follows the feed from then on.
 * @throws AppError invalid when it can't be read, holds no recordings or is a podcast already
 */
export async function add(
  { db, outside, now }: Round,
  { feedUrl, ownerId }: NewPodcast,
): Promise<PodcastStatus> {
  const url = storedUrl("The feed's address", feedUrl);
  if (url === null) throw invalid("The feed's address can't be blank");
  await refuseKnown(db, [url]);
  const found = await read(outside, url);
  const readAt = now();
  const episodes = await episodesOf(found.feed, readAt);
  if (episodes.length === 0 && found.feed.items.length > 0) {
    throw invalid(`There are no audio files in ${quote(url)}: give the address of a podcast's feed.`);
  }
  const id = await inTransaction(db, async (tx) => {
    if (ownerId !== undefined) await users.lock(tx, [ownerId]);
    await queries.holdAdding(tx);
    await refuseKnown(tx, [url, found.address]);
    const id = await insert(tx, found, ownerId);
    const matched = { known: [], fresh: episodes, slugs: [] };
    const { hasMore } = await syncEpisodes(tx, id, { matched, now: readAt });
    const fetched = fetchedFrom(found, { hasMore });
    await scheduleFetched(tx, { kind: FEEDS, id, fetched, now: readAt, everySeconds: HOUR_SECONDS });
    return id;
  });
  const [added] = await list(db, [id]);
  if (!added) throw invalid("The podcast was removed again at once.");
  return added;
}

async function refuseKnown(db: Db, addresses: readonly string[]): Promise<void> {
  const known = await queries.findByFeed(db, addresses);
  if (known) throw invalid(`The podcast ${known.slug} has this feed already.`);
}

async function read(outside: Outside, url: string) {
  try {
    return await visitFirst(outside, url);
  } catch (error) {
    throw unreadable(url, error);
  }
}

async function insert(
  tx: Db,
  { feed, address }: { feed: Feed; address: string },
  ownerId: number | undefined,
): Promise<number> {
  const columns = columnsOf(feed);
  const title = columns.title ?? new URL(address).hostname;
  const slug = await takeSlug(tx, title);
  return queries.insertPodcast(tx, {
    ...columns,
    title,
    slug,
    feed_url: address,
    owner_id: ownerId ?? null,
  });
}

async function takeSlug(tx: Db, title: string): Promise<string> {
  for (const slug of podcastSlugs(title)) if ((await handles.reserve(tx, "podcast", [slug])) > 0) return slug;
  throw new Error("There are names without end.");
}

export function remove(db: Db, slug: string): Promise<PodcastStatus> {
  return inTransaction(db, async (tx) => {
    const removed = await named(tx, slug);
    await removeAll(tx, [removed.id]);
    return removed;
  });
}

export type Refreshed = PodcastStatus & { new_episodes: number };

/**
 * Reads the feeds of all podcasts, or of one, at once, also feeds that were gone.
 * @throws AppError invalid for an unknown slug, or a podcast without a feed
 */
export async function refresh(round: Round, slug?: string): Promise<Refreshed[]> {
  const { db, now } = round;
  const all = slug === undefined ? await list(db) : [await named(db, slug)];
  const before = new Map(
    all.filter(({ feed_url }) => feed_url !== null).map((one) => [one.id, one.episodes]),
  );
  const ids = [...before.keys()];
  if (slug !== undefined && ids.length === 0) {
    throw invalid(`The podcast ${quote(slug)} has no feed: its episodes came with a community file.`);
  }
  await inTransaction(db, async (tx) => {
    await queries.forgetGone(tx, ids);
    await scheduleAll(tx, ids, now());
    await fetches.refresh(tx, FEEDS, ids, now());
  });
  await refreshDue(round, ids);
  return (await list(db, ids)).map((podcast) => ({
    ...podcast,
    new_episodes: podcast.episodes - (before.get(podcast.id) ?? 0),
  }));
}
