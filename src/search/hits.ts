import { comparePlaces, kthSmallest, type Place } from "./index/popularity.ts";
import type { Segment } from "./index/segment.ts";

export interface Hit {
  segment: Segment;
  slot: number;
  article_id: number;
  score: number;
  hasAll: boolean;
}

/** The best first, and of the same score the newer one; only as many are sorted as are asked for. */
export class HitList {
  readonly #segments: readonly Segment[];
  readonly #in: Uint8Array;
  readonly #slots: Int32Array;
  readonly #scores: Float64Array;
  readonly #haveAll: Uint8Array;
  /** The hits in their order, as far as they are sorted. */
  readonly #order: Int32Array;
  #size = 0;
  #sorted = 0;
  withAll = 0;

  constructor(segments: readonly Segment[], most: number) {
    this.#segments = segments;
    this.#in = new Uint8Array(most);
    this.#slots = new Int32Array(most);
    this.#scores = new Float64Array(most);
    this.#haveAll = new Uint8Array(most);
    this.#order = new Int32Array(most);
  }

  get length(): number {
    return this.#size;
  }

  add(segment: number, slot: number, score: number, hasAll: boolean): void {
    const at = this.#size++;
    this.#in[at] = segment;
    this.#slots[at] = slot;
    this.#scores[at] = score;
    this.#order[at] = at;
    if (!hasAll) return;
    this.#haveAll[at] = 1;
    this.withAll++;
  }

  raise(count: number, by: (segment: Segment, slot: number) => number): void {
    this.#sortTo(count);
    const best = this.#order.subarray(0, Math.min(count, this.#size));
    for (let place = 0; place < best.length; place++) {
      const at = best[place] as number;
      this.#scores[at] = (this.#scores[at] as number) + by(this.#segmentOf(at), this.#slots[at] as number);
    }
    best.sort(this.#bestFirst);
  }

  slice(from = 0, to = this.length): Hit[] {
    this.#sortTo(to);
    return Array.from(this.#order.subarray(from, Math.min(to, this.#size)), this.#hitAt);
  }

  countTo([score, articleId]: readonly [score: number, articleId: number]): number {
    let count = 0;
    for (let at = 0; at < this.#size; at++) {
      const own = this.#scores[at] as number;
      if (own > score || (own === score && this.#idOf(at) >= articleId)) count++;
    }
    return count;
  }

  /** The hits with all words, in any order. */
  havingAll(): Hit[] {
    const all = this.#order.subarray(0, this.#size).filter((at) => this.#haveAll[at] === 1);
    return Array.from(all, this.#hitAt);
  }

  #sortTo(count: number): void {
    if (count <= this.#sorted || this.#sorted === this.#size) return;
    const behind = this.#order.subarray(this.#sorted, this.#size);
    const least = this.#scoreAt(behind, count - this.#sorted - 1);
    let found = 0;
    for (let place = 0; place < behind.length; place++) {
      const at = behind[place] as number;
      if ((this.#scores[at] as number) < least) continue;
      behind[place] = behind[found] as number;
      behind[found++] = at;
    }
    behind.subarray(0, found).sort(this.#bestFirst);
    this.#sorted += found;
  }

  /** The score that would stand at a place if these were sorted. */
  #scoreAt(unsorted: Int32Array, place: number): number {
    if (place >= unsorted.length - 1) return -Infinity;
    // Numbers are compared faster than by a function, and a loop copies them faster than `from`.
    const scores = new Float64Array(unsorted.length);
    for (let at = 0; at < scores.length; at++) scores[at] = -(this.#scores[unsorted[at] as number] as number);
    return -kthSmallest(scores, place);
  }

  readonly #segmentOf = (at: number): Segment => this.#segments[this.#in[at] as number] as Segment;
  readonly #idOf = (at: number): number => this.#segmentOf(at).index.ids[this.#slots[at] as number] as number;

  readonly #hitAt = (at: number): Hit => ({
    segment: this.#segmentOf(at),
    slot: this.#slots[at] as number,
    article_id: this.#idOf(at),
    score: this.#scores[at] as number,
    hasAll: this.#haveAll[at] === 1,
  });

  /** Returns whole numbers: V8 makes an object of every other number that a function returns. */
  readonly #bestFirst = (one: number, other: number): number => {
    const score = this.#scores[one] as number;
    const more = this.#scores[other] as number;
    if (score !== more) return score < more ? 1 : -1;
    return this.#idOf(other) - this.#idOf(one);
  };
}

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

/** Articles with a lower share of the best score say too little of the query, if none has all words. */
const LEAST_OF_BEST = 0.5;

/** The articles with all words behind a place; if none has them all, those that are ranked best. */
export function inOrder(order: PlaceOrder, hits: HitList, after: Place | undefined): Hit[] {
  const compare = COMPARE[order];
  const least = LEAST_OF_BEST * (hits.slice(0, 1)[0]?.score ?? 0);
  const found = hits.withAll > 0 ? hits.havingAll() : hits.slice().filter(({ score }) => score >= least);
  return found
    .map((hit) => ({ hit, place: placeOfHit(hit) }))
    .filter(({ place }) => after === undefined || compare(place, after) > 0)
    .toSorted((one, other) => compare(one.place, other.place))
    .map(({ hit }) => hit);
}
