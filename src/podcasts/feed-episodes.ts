import type { Feed, FeedItem } from "../feed-parser/feed.ts";
import { oneLine, safeAddress, safeNotes } from "./feed-texts.ts";
import { MAX_GUID } from "./record-schema.ts";

/** An episode as a feed tells of it. */
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

const MAX_TITLE = 300;
const MAX_SECONDS = 2_147_483_647;

/**
 * The recordings of a feed in its order, each once. Notes are made safe one by one, with a rest for
 * others in between, because a hostile feed is full of them.
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

/** Pictures and pages are enclosed too, by feeds that are no podcast. */
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

/** What an episode without a title is called. */
function fileName(address: string): string {
  const last = new URL(address).pathname.split("/").findLast((part) => part !== "") ?? "";
  return oneLine(last, MAX_TITLE) || "Episode";
}

/** A name that several recordings have, as feeds have that name every item after their site, tells none of them. */
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
