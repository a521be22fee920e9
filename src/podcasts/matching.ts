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
 */
export function match(episodes: readonly FeedEpisode[], rows: readonly EpisodeRow[]): Matched {
  const known: Matched["known"] = [];
  let [restOfFeed, restOfRows] = [[...episodes], [...rows]];
  for (const keyOf of [guidOf, recordingOf, titleAndDateOf]) {
    const byKey = new Map(restOfRows.toReversed().flatMap((row) => pairWith(keyOf(row), row)));
    restOfFeed = restOfFeed.filter((episode) => {
      const key = keyOf(episode);
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

const guidOf = ({ guid }: Keyed): Key => guid ?? undefined;
const recordingOf = ({ media_url }: Keyed): Key => media_url;
const titleAndDateOf = ({ title, published_at }: Keyed): Key =>
  published_at === null ? undefined : `${published_at.getTime()} ${title}`;

function pairWith(key: Key, row: EpisodeRow): [string, EpisodeRow][] {
  return key === undefined ? [] : [[key, row]];
}
