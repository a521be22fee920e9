import type { ArticleIndex } from "../search-index/article-index.ts";
import type { Hit } from "./hits.ts";
import { comparePlaces, moveFirst, type Place } from "../search-index/popularity.ts";
import type { Ranked } from "./ranking.ts";
import type { Row } from "../search-index/rows-in-memory.ts";

/** An article, and the version of its summary. */
export interface Ref {
  article_id: number;
  version: string;
}

export interface PopularRow extends Ref, Place {}

export const toPopularRow = ({ reactions, published_at, article_id, version }: Row): PopularRow => ({
  reactions,
  published_at,
  article_id,
  version: String(version),
});

export type ScoredKey = readonly [score: number, articleId: number];
export type PopularityKey = readonly [reactions: number, date: string, articleId: number];

export const popularityOf = ({ reactions, published_at, article_id }: Place): PopularityKey => [
  reactions,
  new Date(published_at).toISOString(),
  article_id,
];

export const placeOfKey = ([reactions, date, article_id]: PopularityKey): Place => ({
  reactions,
  published_at: Date.parse(date),
  article_id,
});

/** Part of a list in the order of popularity. */
export interface PopularPart {
  after: Place | undefined;
  skip: number;
  limit: number;
}

/** The articles that a search finds. */
export interface Results {
  ranked: Ranked;
  /** Whether all that is found is ranked. */
  isWhole: boolean;
  /** The articles with all words that are not ranked, in the order of popularity. */
  others(part: PopularPart): Promise<PopularRow[]>;
  /** All articles with all words, in that order. */
  popular(part: PopularPart): Promise<PopularRow[]>;
}

/** Where an index has all articles. */
export function inMemory(ranked: Ranked): Results {
  const [first] = ranked.hits.slice(0, 1);
  const index = first?.segment.index;
  return {
    ranked,
    isWhole: isWhole(ranked, index === undefined || index.weighing === index.size),
    others: async (part) => (index === undefined ? [] : mostPopular(index, ranked.rest[0] ?? NONE, part)),
    popular: async (part) => (index === undefined ? [] : mostPopular(index, withAllWords(ranked), part)),
  };
}

/** Whether all hits are ranked, whatever is in memory. */
export function isWhole({ missing }: Ranked, doAllWeigh: boolean): boolean {
  return missing.ranked > 0 && (doAllWeigh || missing.behind > 0);
}

const NONE = new Int32Array(0);

export function withAllWords({ hits, rest }: Ranked): Int32Array {
  return Int32Array.from([...hits.withAllWords().map(({ slot }) => slot), ...(rest[0] ?? NONE)]);
}

export function mostPopular(
  index: ArticleIndex,
  slots: Int32Array,
  { after, skip, limit }: PopularPart,
): PopularRow[] {
  const behind =
    after === undefined
      ? slots.slice()
      : slots.filter((slot) => comparePlaces(index.placeOf(slot), after) > 0);
  moveFirst(behind, skip + limit, index.byPopularity);
  const first = behind.slice(0, skip + limit).toSorted(index.byPopularity);
  return Array.from(first.subarray(skip), (slot) => popularRowAt(index, slot));
}

export const refOf = ({ segment: { index }, slot, article_id }: Hit): Ref => ({
  article_id,
  version: String(index.versions[slot]),
});

export const popularRowOf = ({ segment, slot }: Hit): PopularRow => popularRowAt(segment.index, slot);

function popularRowAt(index: ArticleIndex, slot: number): PopularRow {
  return { ...index.placeOf(slot), version: String(index.versions[slot]) };
}

export function sliceByPopularity(
  found: readonly PopularRow[],
  { after, skip, limit }: PopularPart,
): PopularRow[] {
  const sorted = found.toSorted(comparePlaces);
  const first = after === undefined ? 0 : sorted.findIndex((each) => comparePlaces(each, after) > 0);
  return first < 0 ? [] : sorted.slice(first + skip, first + skip + limit);
}
