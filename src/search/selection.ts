import { BEHIND, HAS_ALL, IS_TITLED, type Matching, type Segment } from "../search-index/segment.ts";
import { grown } from "../search-index/arena.ts";
import { moveFirst } from "../search-index/popularity.ts";

/**
 * The ranked articles that weigh words: the most popular, and the most popular with half of the weight in the title.
 */
export const MOST_RANKED = 1_000;
export const MOST_TITLED = 500;
/** Articles behind are ranked until this many with all words are ranked, and this many with such titles. */
export const ENOUGH_RANKED = 60;
const ENOUGH_TITLED = 50;

const NONE = new Int32Array(0);
const MOST_AT_ALL = MOST_RANKED + MOST_TITLED + ENOUGH_RANKED + ENOUGH_TITLED;

/** How many more articles would be ranked if there were more. */
export interface Missing {
  /** The number that weigh words. */
  ranked: number;
  /** The numbers behind them. */
  behind: number;
  titledBehind: number;
}

/** Holds the slots of one kind for the search that runs. */
let scratch = new Int32Array(1_024);

/** Articles of a segment that match, and which of them are ranked. */
export class Candidates {
  readonly segment: Segment;
  readonly #matching: Matching;
  readonly #isRanked: Uint8Array;
  #ranked: Int32Array;
  #size = 0;

  /** Until `clear` is called, the segment has no other candidates. */
  constructor(segment: Segment, matching: Matching) {
    this.segment = segment;
    this.#matching = matching;
    this.#isRanked = segment.marks;
    this.#ranked = new Int32Array(Math.min(matching.size, MOST_AT_ALL));
  }

  get ranked(): Int32Array {
    return this.#ranked.subarray(0, this.#size);
  }

  /** The articles of a kind that are not ranked; good until the next call. */
  others(mask: number, kind: number): Int32Array {
    const { size, slots, kinds, present } = this.#matching;
    if ((present & kind) !== kind) return NONE;
    if (scratch.length < size) scratch = grown(scratch, size);
    const [isRanked, found] = [this.#isRanked, scratch];
    let count = 0;
    for (let at = 0; at < size; at++) {
      const slot = slots[at] as number;
      if (((kinds[at] as number) & mask) === kind && isRanked[slot] === 0) found[count++] = slot;
    }
    return found.subarray(0, count);
  }

  /** Ranks the most popular of a kind, and returns their number. */
  rank(most: number, mask: number, kind: number): number {
    if (most === 0) return 0;
    const wanted = this.others(mask, kind);
    const count = Math.min(most, wanted.length);
    moveFirst(wanted, count, this.segment.index.byPopularity);
    this.#add(wanted, count);
    return count;
  }

  /** Ranks others too. */
  rankAlso(slots: readonly number[]): void {
    const others = slots.filter((slot) => this.#isRanked[slot] === 0);
    const size = this.#size + others.length;
    if (size > this.#ranked.length) this.#ranked = grown(this.#ranked, size);
    this.#add(others, others.length);
  }

  #add(slots: ArrayLike<number>, count: number): void {
    for (let at = 0; at < count; at++) {
      const slot = slots[at] as number;
      this.#ranked[this.#size++] = slot;
      this.#isRanked[slot] = 1;
    }
  }

  /** The number of ranked articles of a kind, at most `most`. */
  countRanked(most: number, kind: number): number {
    const { size, slots, kinds } = this.#matching;
    let count = 0;
    for (let at = 0; at < size && count < most; at++)
      if (((kinds[at] as number) & kind) !== 0 && this.#isRanked[slots[at] as number] === 1) count++;
    return count;
  }

  clear(): void {
    for (const slot of this.ranked) this.#isRanked[slot] = 0;
  }
}

/**
 * Which of the articles that match are ranked. It is a rule about all articles, so that processes rank the same whatever
 * they have in memory.
 * @param segments each less popular than the one before
 */
export function select(
  segments: readonly Candidates[],
  { haveAll, needsAll }: { haveAll: boolean; needsAll: boolean },
): Missing {
  const always = needsAll ? HAS_ALL : 0;
  const take = (most: number, mask: number, kind: number) =>
    segments.reduce((left, segment) => left - segment.rank(left, mask | always, kind | always), most);
  const missing = (enough: number, kind: number) =>
    segments.reduce((left, segment) => left - segment.countRanked(left, kind), enough);
  const ranked = take(MOST_RANKED, BEHIND, 0);
  if (ranked === 0) take(MOST_TITLED, BEHIND | IS_TITLED, IS_TITLED);
  const [behind, titledBehind] = [missing(ENOUGH_RANKED, HAS_ALL), missing(ENOUGH_TITLED, IS_TITLED)];
  const wanted = BEHIND | (haveAll ? HAS_ALL : 0);
  return {
    ranked,
    behind: take(behind, wanted, wanted),
    titledBehind: take(titledBehind, BEHIND | IS_TITLED, BEHIND | IS_TITLED),
  };
}
