import type { FeedEpisode } from "./feed-episodes.ts";
import type { EpisodeRow } from "./queries.ts";

/** What a feed's episodes are to those there are. */
export interface Matched {
  known: { row: EpisodeRow; episode: FeedEpisode }[];
  fresh: FeedEpisode[];
}

/**
 * Finds the episodes of a feed among those there are. One is the same when its guid is, else when its
 * recording is, and else when title and date are: whoever moves a podcast to another host changes both others.
 * One that has neither name nor date is the same when its title is and its address up to the query, which is
 * other at each visit where a host signs its addresses, if no other has that address.
 */
export function match(episodes: readonly FeedEpisode[], rows: readonly EpisodeRow[]): Matched {
  const known: Matched["known"] = [];
  const shared = new Set([...repeated(episodes.map(placeOf)), ...repeated(rows.map(placeOf))]);
  const placeAndTitleOf = (one: Keyed): Key =>
    shared.has(placeOf(one)) ? undefined : `${placeOf(one)} ${one.title}`;
  const passes: Pass[] = [
    { ofFeed: guidOf, ofRow: guidOf },
    { ofFeed: recordingOf, ofRow: recordingOf },
    { ofFeed: titleAndDateOf, ofRow: titleAndDateOf },
    { ofFeed: (one) => (isNameless(one) ? placeAndTitleOf(one) : undefined), ofRow: placeAndTitleOf },
  ];
  let [restOfFeed, restOfRows] = [[...episodes], [...rows]];
  for (const { ofFeed, ofRow } of passes) {
    const byKey = new Map(restOfRows.toReversed().flatMap((row) => pairWith(ofRow(row), row)));
    restOfFeed = restOfFeed.filter((episode) => {
      const key = ofFeed(episode);
      const row = key === undefined ? undefined : byKey.get(key);
      if (key === undefined || row === undefined) return true;
      byKey.delete(key);
      known.push({ row, episode });
      return false;
    });
    const taken = new Set(known.map(({ row }) => row.id));
    restOfRows = restOfRows.filter(({ id }) => !taken.has(id));
  }
  return { known, fresh: restOfFeed };
}

type Key = string | undefined;
type Keyed = Pick<EpisodeRow, "guid" | "media_url" | "title" | "published_at">;

interface Pass {
  ofFeed: (one: Keyed) => Key;
  /** A row has a date in any case, that of the fetch if need be. */
  ofRow: (one: Keyed) => Key;
}

const guidOf = ({ guid }: Keyed): Key => guid ?? undefined;
const recordingOf = ({ media_url }: Keyed): Key => media_url;
const titleAndDateOf = ({ title, published_at }: Keyed): Key =>
  published_at === null ? undefined : `${published_at.getTime()} ${title}`;
const isNameless = ({ guid, published_at }: Keyed): boolean => guid === null && published_at === null;
const placeOf = ({ media_url }: Pick<Keyed, "media_url">): string => withoutQuery(media_url);

/** An address up to its query. */
export function withoutQuery(address: string): string {
  return address.split("?", 1)[0] ?? address;
}

function repeated(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
}

function pairWith(key: Key, row: EpisodeRow): [string, EpisodeRow][] {
  return key === undefined ? [] : [[key, row]];
}
