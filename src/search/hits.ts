import type { Segment } from "../search-index/segment.ts";
import { moveFirst } from "../search-index/popularity.ts";

export interface Hit {
  segment: Segment;
  slot: number;
  article_id: number;
  score: number;
}

/** The best first, and of the same score the newer one; only as many are sorted as are asked for. */
export class HitList {
  readonly #segments: readonly Segment[];
  /** The number of each hit's segment. */
  readonly #in: Uint8Array;
  readonly #slots: Int32Array;
  readonly #ids: Int32Array;
  readonly #scores: Float64Array;
  readonly #haveAll: Uint8Array;
  /** The hits in their order, as far as they are sorted. */
  readonly #order: Int32Array;
  #size = 0;
  #sorted = 0;

  /** @param most of them are added */
  constructor(segments: readonly Segment[], most: number) {
    this.#segments = segments;
    this.#in = new Uint8Array(most);
    this.#slots = new Int32Array(most);
    this.#ids = new Int32Array(most);
    this.#scores = new Float64Array(most);
    this.#haveAll = new Uint8Array(most);
    this.#order = new Int32Array(most);
  }

  get length(): number {
    return this.#size;
  }

  /** @param segment its number */
  add(segment: number, slot: number, articleId: number, score: number, hasAll: boolean): void {
    const at = this.#size++;
    this.#in[at] = segment;
    this.#slots[at] = slot;
    this.#ids[at] = articleId;
    this.#scores[at] = score;
    this.#haveAll[at] = hasAll ? 1 : 0;
    this.#order[at] = at;
  }

  /** Adds to the scores of the best. */
  raise(count: number, by: (segment: Segment, slot: number, hasAll: boolean) => number): void {
    this.#sortTo(count);
    const best = this.#order.subarray(0, this.#sorted);
    for (let place = 0; place < best.length; place++) {
      const at = best[place] as number;
      const more = by(this.#segmentOf(at), this.#slots[at] as number, this.#haveAll[at] === 1);
      this.#scores[at] = (this.#scores[at] as number) + more;
    }
    best.sort(this.#bestFirst);
  }

  /** Leaves out hits that have neither all words nor this share of the best score. */
  cut(share: number): void {
    this.#sortTo(1);
    const order = this.#order;
    const least = share * (this.#scores[order[0] as number] ?? 0);
    const [size, sorted] = [this.#size, this.#sorted];
    this.#size = this.#sorted = 0;
    for (let place = 0; place < size; place++) {
      const at = order[place] as number;
      if (this.#haveAll[at] === 0 && (this.#scores[at] as number) < least) continue;
      order[this.#size++] = at;
      if (place < sorted) this.#sorted = this.#size;
    }
  }

  slice(from = 0, to = this.length): Hit[] {
    this.#sortTo(to);
    return Array.from(this.#order.subarray(from, Math.min(to, this.#size)), this.#hitAt);
  }

  /** The number of hits up to a key. */
  countTo([score, articleId]: readonly [score: number, articleId: number]): number {
    let count = 0;
    for (let place = 0; place < this.#size; place++) {
      const at = this.#order[place] as number;
      const own = this.#scores[at] as number;
      if (own > score || (own === score && (this.#ids[at] as number) >= articleId)) count++;
    }
    return count;
  }

  /** The hits with all words, in any order. */
  withAllWords(): Hit[] {
    const all = this.#order.subarray(0, this.#size);
    return Array.from(
      all.filter((at) => this.#haveAll[at] === 1),
      this.#hitAt,
    );
  }

  #sortTo(count: number): void {
    if (count <= this.#sorted || this.#sorted === this.#size) return;
    const behind = this.#order.subarray(this.#sorted, this.#size);
    const missing = count - this.#sorted;
    moveFirst(behind, missing, this.#bestFirst);
    behind.subarray(0, missing).sort(this.#bestFirst);
    this.#sorted = Math.min(count, this.#size);
  }

  readonly #segmentOf = (at: number): Segment => this.#segments[this.#in[at] as number] as Segment;

  readonly #hitAt = (at: number): Hit => ({
    segment: this.#segmentOf(at),
    slot: this.#slots[at] as number,
    article_id: this.#ids[at] as number,
    score: this.#scores[at] as number,
  });

  /** Returns whole numbers: V8 makes an object of every other number that a function returns. */
  readonly #bestFirst = (one: number, other: number): number => {
    const score = this.#scores[one] as number;
    const more = this.#scores[other] as number;
    if (score !== more) return score < more ? 1 : -1;
    return (this.#ids[other] as number) - (this.#ids[one] as number);
  };
}
