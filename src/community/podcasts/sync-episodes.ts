import type { Db } from "../../platform/db/connect.ts";
import { differs } from "../../platform/db/rows.ts";
import type { Feed } from "../../content/feeds/feed.ts";
import { identify, type Key } from "../../content/feeds/identify.ts";
import * as fetches from "../../platform/fetches/fetches.ts";
import type { FeedEpisode } from "./feed-episodes.ts";
import { oneLine, plainNotes, safeAddress } from "./feed-texts.ts";
import * as queries from "./queries.ts";
import { RECORDINGS, watch } from "./schedule.ts";
import { episodeSlug } from "./slugs.ts";

/** New episodes that are taken at once, the newest first. */
const MAX_FRESH = 100;
/** Episodes of a podcast, so that a feed whose episodes are new each time doesn't fill the disk. */
export const MAX_EPISODES = 10_000;
const MAX_TITLE = 200;

type Said = Partial<Record<"title" | "description" | "image_url" | "website_url", string>>;

/** The columns of a podcast that its feed has something for. */
export function columnsOf(feed: Feed): Said {
  const columns = {
    title: oneLine(feed.title, MAX_TITLE),
    description: plainNotes(feed.description ?? ""),
    image_url: safeAddress(feed.imageUrl),
    website_url: safeAddress(feed.link),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => Boolean(value)));
}

/** The episodes of a feed beside those of its podcast. */
export interface Matched {
  known: { id: number; episode: FeedEpisode }[];
  /** New episodes, in the order of the feed. */
  fresh: FeedEpisode[];
  slugs: string[];
}

export async function matchEpisodes(
  db: Db,
  podcastId: number,
  episodes: readonly FeedEpisode[],
): Promise<Matched> {
  const rows = await queries.episodeKeys(db, podcastId);
  const shared = new Set([...repeated(episodes.map(placeOf)), ...repeated(rows.map(placeOf))]);
  // Where a host signs its addresses, only their query differs from visit to visit.
  const place = (one: Identified): Key =>
    shared.has(placeOf(one)) ? undefined : `place ${placeOf(one)} ${one.title}`;
  const found = identify(episodes, rows, {
    // Any row has a date, that of the fetch if need be.
    item: (one) => [...keysOf(one), one.guid === null && one.published_at === null ? place(one) : undefined],
    row: (one) => [...keysOf(one), place(one)],
  });
  return {
    known: [...found].map(([episode, { id }]) => ({ id, episode })),
    fresh: episodes.filter((episode) => !found.has(episode)),
    slugs: rows.map(({ slug }) => slug),
  };
}

type Identified = Pick<FeedEpisode, "guid" | "media_url" | "title" | "published_at">;

function keysOf({ guid, media_url, title, published_at }: Identified): Key[] {
  return [
    guid === null ? undefined : `guid ${guid}`,
    `address ${media_url}`,
    published_at === null ? undefined : `date ${published_at.getTime()} ${title}`,
  ];
}

function placeOf({ media_url }: { media_url: string }): string {
  return media_url.split("?", 1)[0] ?? media_url;
}

function repeated(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
}

/**
 * Updates the episodes of a podcast, which the transaction has locked, to what its feed says; episodes that the feed
 * no longer has stay. `hasMore`: there are more new ones than are taken at once. `isFull`: there is no room for all.
 */
export async function syncEpisodes(
  tx: Db,
  podcastId: number,
  { matched, now }: { matched: Matched; now: Date },
): Promise<{ hasMore: boolean; isFull: boolean }> {
  const { known, fresh, slugs } = matched;
  const rows = await queries.episodesById(
    tx,
    known.map(({ id }) => id),
  );
  const episodes = new Map(known.map(({ id, episode }) => [id, episode]));
  for (const row of rows) await update(tx, row, { episode: episodes.get(row.id), now });
  const wanted = fresh.slice(0, Math.max(MAX_EPISODES - slugs.length, 0));
  await insert(tx, podcastId, { episodes: newestFirst(wanted).slice(0, MAX_FRESH), slugs, now });
  return { hasMore: wanted.length > MAX_FRESH, isFull: wanted.length < fresh.length };
}

/** An episode without a date is as new as can be. Those of one date stay in the order of the feed. */
function newestFirst(episodes: readonly FeedEpisode[]): FeedEpisode[] {
  return episodes.toSorted((one, other) => (timeOf(one) === timeOf(other) ? 0 : timeOf(other) - timeOf(one)));
}

function timeOf({ published_at }: FeedEpisode): number {
  return published_at?.getTime() ?? Infinity;
}

async function update(
  tx: Db,
  row: queries.EpisodeRow,
  { episode = {}, now }: { episode: Partial<FeedEpisode> | undefined; now: Date },
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
  { episodes, slugs, now }: { episodes: readonly FeedEpisode[]; slugs: readonly string[]; now: Date },
): Promise<void> {
  const taken = new Set(slugs);
  const rows = episodes.map((episode) => ({
    ...episode,
    podcast_id: podcastId,
    slug: episodeSlug(episode.title, taken),
    published_at: episode.published_at ?? now,
  }));
  // Lists put the higher id first where dates are the same.
  const added = await queries.insertEpisodes(tx, rows.toReversed());
  await watch(
    tx,
    added.map(({ id }) => id),
    now,
  );
}
