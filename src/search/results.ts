import { comparePlaces, type Place } from "../search-index/popularity.ts";
import type { Hit } from "./hits.ts";
import type { Ranked } from "./ranking.ts";

/** An article, and the version of its summary. */
export interface Ref {
  article_id: number;
  version: string;
}

export type ScoredKey = readonly [score: number, articleId: number];
export type PlaceKey = readonly [reactions: number, date: string, articleId: number];

export const placeOf = ({ reactions, published_at, article_id }: Place): PlaceKey => [
  reactions,
  new Date(published_at).toISOString(),
  article_id,
];

export const placeOfKey = ([reactions, date, article_id]: PlaceKey): Place => ({
  reactions,
  published_at: Date.parse(date),
  article_id,
});

export const refOf = ({ segment: { index }, slot, article_id }: Hit): Ref => ({
  article_id,
  version: String(index.versions[slot]),
});

export const placeOfHit = ({ segment: { index }, slot }: Hit): Place => index.placeOf(slot);

/** Orders that have nothing to do with the query. */
export type PlaceOrder = "newest" | "popularity";

const COMPARE: Record<PlaceOrder, (one: Place, other: Place) => number> = {
  newest: (one, other) => other.published_at - one.published_at || other.article_id - one.article_id,
  popularity: comparePlaces,
};

/** Without an article that has all words, those with a lower share of the best score say too little of the query. */
const LEAST_OF_BEST = 0.5;

/** The articles with all words behind a place; if none has them all, those that are ranked best. */
export function inOrder(order: PlaceOrder, { hits }: Pick<Ranked, "hits">, after: Place | undefined): Hit[] {
  const compare = COMPARE[order];
  const least = LEAST_OF_BEST * (hits.slice(0, 1)[0]?.score ?? 0);
  const found = hits.withAll > 0 ? hits.havingAll() : hits.slice().filter(({ score }) => score >= least);
  return found
    .map((hit) => ({ hit, place: placeOfHit(hit) }))
    .filter(({ place }) => after === undefined || compare(place, after) > 0)
    .toSorted((one, other) => compare(one.place, other.place))
    .map(({ hit }) => hit);
}
