import type { Db } from "../../platform/db/connect.ts";
import { changes, differs } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type Claim, stillMine } from "../../platform/fetches/fetches.ts";
import { FetchProblem } from "../../platform/fetches/fetch-problem.ts";
import * as fetches from "../../platform/fetches/fetches.ts";
import type { Fetched } from "../../platform/fetches/outcome.ts";
import { episodesOf } from "./feed-episodes.ts";
import { FeedGone, type Round, type Visit, visit } from "./feed-visit.ts";
import { columnsOf, MAX_EPISODES, type Matched, matchEpisodes, syncEpisodes } from "./sync-episodes.ts";
import * as queries from "./queries.ts";
import { FEEDS } from "./schedule.ts";

/** The pause before the rest of a feed with more new episodes than are taken at once. */
const REST_SECONDS = 15 * 60;

const FULL = `The feed has new episodes, but the podcast has ${MAX_EPISODES} already: no more are taken.`;

export async function refresh({ db, outside, now }: Round, claim: Claim): Promise<Fetched> {
  const podcast = await queries.findPodcast(db, claim.id);
  if (!podcast?.feed_url) return {};
  try {
    const found = await visit(outside, { ...claim, url: podcast.feed_url });
    return await store(db, claim, { podcast, found, now: now() });
  } catch (error) {
    if (!(error instanceof FeedGone)) throw error;
    await end(db, claim, error.message);
    return {};
  }
}

/** Writes what was found, unless the podcast has another feed by now or another process reads it. */
async function store(
  db: Db,
  claim: Claim,
  { podcast, found, now }: { podcast: queries.PodcastRow; found: Visit; now: Date },
): Promise<Fetched> {
  const { feed, address } = found;
  const hasMoved = address !== podcast.feed_url;
  if (feed === undefined && !hasMoved) return fetchedFrom(found, { hasMore: false });
  // Another feed too may answer so to a date. The next visit reads it whole, and sees which one it is.
  if (feed === undefined && found.etag === undefined) return {};
  const episodes = feed && (await episodesOf(feed, now));
  const said = feed && columnsOf(feed);
  const columns = { ...said, feed_url: address };
  const { hasMore, isFull } = await inTransaction(db, async (tx) => {
    if (hasMoved) await queries.holdAdding(tx);
    const held = await queries.lockPodcast(tx, podcast.id);
    const isWanted = held?.feed_url === podcast.feed_url && (await stillMine(tx, claim));
    if (!held || !isWanted) return { hasMore: false, isFull: false };
    const matched = episodes && (await matchEpisodes(tx, held.id, episodes));
    if (hasMoved) await requireSameFeed(tx, held, { address, title: said?.title, matched });
    // Only changes: a fetched picture is stored in place of its address.
    if (differs(held, columns)) await queries.updatePodcast(tx, held.id, changes(held, columns));
    return matched ? syncEpisodes(tx, held.id, { matched, now }) : { hasMore: false, isFull: false };
  });
  if (isFull && !hasMore) throw new FetchProblem(FULL);
  return fetchedFrom(found, { hasMore });
}

/**
 * Lets a podcast's feed have another address only if the same feed is there, and no other podcast has the address.
 * The transaction keeps others from adding one.
 * @throws FetchProblem
 */
async function requireSameFeed(
  tx: Db,
  podcast: queries.PodcastRow,
  { address, title, matched }: { address: string; title?: string | undefined; matched?: Matched | undefined },
): Promise<void> {
  const other = await queries.findByFeed(tx, [address]);
  if (other) throw new FetchProblem(`The feed has moved to the one of the podcast ${other.slug}.`);
  if (matched === undefined || title === podcast.title || matched.known.length > 0) return;
  // A podcast without episodes can't be told from another.
  if (matched.slugs.length > 0) throw new FetchProblem("The feed's address leads to another feed by now.");
}

/** Leaves out the validators where there is a rest: with them, the next visit would find nothing changed. */
export function fetchedFrom({ etag, lastModified }: Visit, { hasMore }: { hasMore: boolean }): Fetched {
  return hasMore ? { nextInSeconds: REST_SECONDS } : { etag, lastModified };
}

async function end(db: Db, claim: Claim, reason: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await queries.lockPodcast(tx, claim.id);
    if (!held || !(await stillMine(tx, claim))) return;
    await queries.updatePodcast(tx, claim.id, { feed_gone: reason });
    await fetches.unschedule(tx, FEEDS, [claim.id]);
  });
}
