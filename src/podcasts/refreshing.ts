import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { type Claim, stillMine } from "../fetches/claim.ts";
import { fetchDue } from "../fetches/due.ts";
import * as fetches from "../fetches/fetches.ts";
import type { Fetched } from "../fetches/outcome.ts";
import { changes, differs } from "../records/columns.ts";
import { episodesOf } from "./feed-episodes.ts";
import { FeedGone, type Outside, type Visit, visit } from "./feed-visit.ts";
import * as feedQueries from "./feed-queries.ts";
import { columnsOf, fill } from "./filling.ts";
import * as queries from "./queries.ts";
import { FEEDS, HOUR_SECONDS } from "./schedule.ts";

/** What a look at the outside needs. */
export interface Round {
  db: Db;
  outside: Outside;
  now: () => Date;
  signal?: AbortSignal | undefined;
}

/** How soon the rest of a feed is read that has more new episodes than are taken at once. */
const REST_SECONDS = 15 * 60;

/** Reads every feed whose time has come, or those of these podcasts, and returns how many there were. */
export function refreshDue(round: Round, ids?: readonly number[]): Promise<number> {
  return fetchDue({
    ...round,
    kind: FEEDS,
    everySeconds: HOUR_SECONDS,
    concurrency: 4,
    ...(ids && { ids }),
    handle: (claim) => refresh(round, claim),
  });
}

async function refresh({ db, outside, now }: Round, claim: Claim): Promise<Fetched> {
  const podcast = await queries.findPodcast(db, claim.id);
  if (!podcast?.feed_url) {
    await fetches.unschedule(db, FEEDS, [claim.id]);
    return {};
  }
  try {
    const found = await visit(outside, { ...claim, url: podcast.feed_url });
    return await store(db, claim, { podcast, found, now: now() });
  } catch (error) {
    if (!(error instanceof FeedGone)) throw error;
    await end(db, claim, error.message);
    return {};
  }
}

/** Writes what was found, unless the podcast has another feed by now or somebody else reads it. */
async function store(
  db: Db,
  claim: Claim,
  { podcast, found, now }: { podcast: queries.PodcastRow; found: Visit; now: Date },
): Promise<Fetched> {
  const { feed, address } = found;
  if (feed === undefined && address === podcast.feed_url) return fetchedFrom(found, { hasMore: false });
  const episodes = feed && (await episodesOf(feed, now));
  const columns = { ...(feed && columnsOf(feed)), feed_url: address };
  const hasMore = await inTransaction(db, async (tx) => {
    const held = await feedQueries.lockPodcast(tx, podcast.id);
    if (held?.feed_url !== podcast.feed_url || !(await stillMine(tx, claim))) return false;
    // The rest stays as it is stored: a picture that was fetched is there in place of its address.
    if (differs(held, columns)) await queries.updatePodcast(tx, held.id, changes(held, columns));
    return episodes !== undefined && (await fill(tx, held.id, { episodes, now })).hasMore;
  });
  return fetchedFrom(found, { hasMore });
}

/** What is remembered of a visit. A feed that is said not to have changed would never bring the rest. */
export function fetchedFrom({ etag, lastModified }: Visit, { hasMore }: { hasMore: boolean }): Fetched {
  return hasMore ? { nextInSeconds: REST_SECONDS } : { etag, lastModified };
}

/** A feed that is gone for good is asked for no more; what it has brought stays. */
async function end(db: Db, claim: Claim, reason: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await feedQueries.lockPodcast(tx, claim.id);
    if (!held || !(await stillMine(tx, claim))) return;
    await queries.updatePodcast(tx, claim.id, { feed_gone: reason });
    await fetches.unschedule(tx, FEEDS, [claim.id]);
  });
}
