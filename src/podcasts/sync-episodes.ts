import type { Db } from "../db/connect.ts";
import * as fetches from "../fetches/fetches.ts";
import type { Feed } from "../feed-parser/feed.ts";
import { differs } from "../records/columns.ts";
import type { FeedEpisode } from "./feed-episodes.ts";
import * as feedQueries from "./feed-queries.ts";
import { oneLine, plainNotes, safeAddress } from "./feed-texts.ts";
import { match } from "./matching.ts";
import * as queries from "./queries.ts";
import { RECORDINGS, watch } from "./schedule.ts";
import { episodeSlug } from "./slugs.ts";

/** So many episodes are new at once at most, the newest ones. */
const MAX_FRESH = 100;
const MAX_TITLE = 200;

type Said = Partial<Record<"title" | "description" | "image_url" | "website_url", string>>;

/** What a feed says of its podcast; what it doesn't say is left out. */
export function columnsOf(feed: Feed): Said {
  const columns = {
    title: oneLine(feed.title, MAX_TITLE),
    description: plainNotes(feed.description ?? ""),
    image_url: safeAddress(feed.imageUrl),
    website_url: safeAddress(feed.link),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => Boolean(value)));
}

/**
 * Brings the episodes of a podcast, which this transaction holds, to what its feed says; those that the
 * feed has no more stay. Tells whether there are more new ones than are taken at once.
 */
export async function fill(
  tx: Db,
  podcastId: number,
  { episodes, now }: { episodes: readonly FeedEpisode[]; now: Date },
): Promise<{ hasMore: boolean }> {
  const rows = await feedQueries.findAlike(tx, podcastId, {
    guids: episodes.flatMap(({ guid }) => guid ?? []),
    addresses: episodes.map(({ media_url }) => media_url),
    dates: episodes.flatMap(({ published_at }) => published_at ?? []),
  });
  const { known, fresh } = match(episodes, rows);
  // In one order, so that no two writers wait crosswise.
  const inOrder = known.toSorted((one, other) => one.row.id - other.row.id);
  for (const { row, episode } of inOrder) await update(tx, row, { episode, now });
  await insert(tx, podcastId, { episodes: newestFirst(fresh).slice(0, MAX_FRESH), now });
  return { hasMore: fresh.length > MAX_FRESH };
}

/** One without a date is as new as can be. Those of one date stay in the order of the feed. */
function newestFirst(episodes: readonly FeedEpisode[]): FeedEpisode[] {
  return episodes.toSorted((one, other) => (timeOf(one) === timeOf(other) ? 0 : timeOf(other) - timeOf(one)));
}

function timeOf({ published_at }: FeedEpisode): number {
  return published_at?.getTime() ?? Infinity;
}

async function update(
  tx: Db,
  row: queries.EpisodeRow,
  { episode, now }: { episode: FeedEpisode; now: Date },
): Promise<void> {
  const said = Object.fromEntries(Object.entries(episode).filter(([, value]) => value !== null));
  if (!differs(row, said)) return;
  const isElsewhere = row.media_url !== episode.media_url;
  await queries.updateEpisode(tx, row.id, { ...said, ...(isElsewhere && { reachable: true }) });
  if (!isElsewhere) return;
  await fetches.unschedule(tx, RECORDINGS, [row.id]);
  await watch(tx, [row.id], now);
}

async function insert(
  tx: Db,
  podcastId: number,
  { episodes, now }: { episodes: readonly FeedEpisode[]; now: Date },
): Promise<void> {
  const taken = new Set(await feedQueries.episodeSlugs(tx, podcastId));
  const rows = episodes.map((episode) => ({
    ...episode,
    podcast_id: podcastId,
    slug: episodeSlug(episode.title, taken),
    published_at: episode.published_at ?? now,
  }));
  // Lists put the higher number first where dates are the same.
  const added = await queries.insertEpisodes(tx, rows.toReversed());
  await watch(
    tx,
    added.map(({ id }) => id),
    now,
  );
}
