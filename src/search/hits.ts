import type { Part } from "../search-index/part.ts";
import { moveFirst } from "../search-index/popularity.ts";

export interface Hit {
  part: Part;
  slot: number;
  article_id: number;
  score: number;
}

/** The best first, and of the same score the newer one; only as many are sorted as are asked for. */
export class HitList {
  readonly #parts: Part[] = [];
  readonly #slots: Int32Array;
  readonly #ids: Int32Array;
  readonly #scores: Float64Array;
  readonly #haveAll: Uint8Array;
  /** The hits in their order, as far as they are sorted. */
  #order: Int32Array;
  #size = 0;
  #sorted = 0;

  /** @param most of them are added */
  constructor(most: number) {
    this.#slots = new Int32Array(most);
    this.#ids = new Int32Array(most);
    this.#scores = new Float64Array(most);
    this.#haveAll = new Uint8Array(most);
    this.#order = new Int32Array(most);
  }

  get length(): number {
    return this.#order.length;
  }

  add(part: Part, slot: number, articleId: number, score: number, hasAll: boolean): void {
    const at = this.#size++;
    this.#parts.push(part);
    this.#slots[at] = slot;
    this.#ids[at] = articleId;
    this.#scores[at] = score;
    this.#haveAll[at] = hasAll ? 1 : 0;
    this.#order[at] = at;
  }

  /** Adds to the scores of the best. */
  raise(count: number, by: (part: Part, slot: number, place: number) => number): void {
    this.#order = this.#order.subarray(0, this.#size);
    moveFirst(this.#order, count, this.#bestFirst);
    const best = this.#order.subarray(0, count);
    best.sort(this.#bestFirst);
    for (const [place, at] of best.entries()) {
      const more = by(this.#parts[at] as Part, this.#slots[at] as number, place);
      this.#scores[at] = (this.#scores[at] as number) + more;
    }
    best.sort(this.#bestFirst);
    this.#sorted = best.length;
  }

  /** Leaves out what has not all words, and less than this share of the best score. */
  cut(share: number): void {
    const least = share * (this.#scores[this.#order[0] as number] ?? 0);
    const isGood = (at: number) => this.#haveAll[at] === 1 || (this.#scores[at] as number) >= least;
    this.#sorted = this.#order.subarray(0, this.#sorted).filter(isGood).length;
    this.#order = this.#order.filter(isGood);
  }

  slice(from = 0, to = this.length): Hit[] {
    if (to > this.#sorted && this.length > this.#sorted) {
      this.#order.sort(this.#bestFirst);
      this.#sorted = this.length;
    }
    return Array.from(this.#order.subarray(from, to), this.#hitAt);
  }

  /** The number of hits up to a key. */
  countTo([score, articleId]: readonly [score: number, articleId: number]): number {
    let count = 0;
    for (const at of this.#order) {
      const own = this.#scores[at] as number;
      if (own > score || (own === score && (this.#ids[at] as number) >= articleId)) count++;
    }
    return count;
  }

  /** In any order. */
  withAllWords(): Hit[] {
    return Array.from(
      this.#order.filter((at) => this.#haveAll[at] === 1),
      this.#hitAt,
    );
  }

  readonly #hitAt = (at: number): Hit => ({
    part: this.#parts[at] as Part,
    slot: this.#slots[at] as number,
    article_id: this.#ids[at] as number,
    score: this.#scores[at] as number,
  });

  readonly #bestFirst = (one: number, other: number): number =>
    (this.#scores[other] as number) - (this.#scores[one] as number) ||
    (this.#ids[other] as number) - (this.#ids[one] as number);
}
