import type { Feed, FeedItem } from "../../content/feeds/feed.ts";
import { oneLine, safeAddress, safeNotes } from "./feed-texts.ts";

export interface FeedEpisode {
  title: string;
  media_url: string;
  guid: string | null;
  summary: string | null;
  image_url: string | null;
  /** Never in the future; null when the feed doesn't say. */
  published_at: Date | null;
  duration_seconds: number | null;
}

/** The limit of the column. */
export const MAX_GUID = 500;
const MAX_TITLE = 300;
const MAX_SECONDS = 2_147_483_647;

/**
 * The episodes of a feed in its order, each recording once. Notes are sanitized one by one, with pauses for other work.
 */
export async function episodesOf(feed: Feed, now: Date): Promise<FeedEpisode[]> {
  const found = new Map<string, FeedEpisode>();
  for (const item of feed.items) {
    const address = recordingOf(item);
    if (address === undefined || found.has(address)) continue;
    found.set(address, toEpisode(item, { address, base: item.url ?? feed.link ?? address, now }));
    await new Promise(setImmediate);
  }
  return withoutSharedGuids([...found.values()]);
}

/** Feeds that are no podcast enclose pictures and pages. */
function recordingOf({ enclosure }: FeedItem): string | undefined {
  if (enclosure === undefined || /^\s*(image|text)\//i.test(enclosure.type ?? "")) return undefined;
  return safeAddress(enclosure.url);
}

function toEpisode(
  item: FeedItem,
  { address, base, now }: { address: string; base: string; now: Date },
): FeedEpisode {
  const { publishedAt, durationSeconds } = item;
  const isPast = publishedAt !== undefined && publishedAt <= now;
  const hasLength = durationSeconds !== undefined && durationSeconds <= MAX_SECONDS;
  return {
    title: oneLine(item.title ?? "", MAX_TITLE) || fileName(address),
    media_url: address,
    guid: item.guid && item.guid.length <= MAX_GUID ? item.guid : null,
    summary: safeNotes(item.html ?? item.summary ?? "", base),
    image_url: safeAddress(item.imageUrl) ?? null,
    published_at: isPast ? publishedAt : null,
    duration_seconds: hasLength ? Math.max(0, Math.round(durationSeconds)) : null,
  };
}

/** The title of an episode that has none. */
function fileName(address: string): string {
  const last = new URL(address).pathname.split("/").findLast((part) => part !== "") ?? "";
  return oneLine(last, MAX_TITLE) || "Episode";
}

/** A guid that several recordings share identifies none of them. */
function withoutSharedGuids(episodes: FeedEpisode[]): FeedEpisode[] {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { guid } of episodes) {
    if (guid === null) continue;
    if (seen.has(guid)) shared.add(guid);
    seen.add(guid);
  }
  return episodes.map((one) => (one.guid !== null && shared.has(one.guid) ? { ...one, guid: null } : one));
}
