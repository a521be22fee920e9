import { BEHIND, HAS_ALL, IS_TITLED, type Matching, type Part } from "../search-index/part.ts";
import { moveFirst } from "../search-index/popularity.ts";

/** Of the articles that weigh words, the most popular are ranked, and the most popular titles with half of the weight. */
export const MOST_RANKED = 1_000;
export const MOST_TITLED = 500;
/** Of those behind, as many as are missing to this number of articles with all words, and of such titles. */
export const ENOUGH_RANKED = 60;
const ENOUGH_TITLED = 50;

/** How many more articles would be ranked if there were more. */
export interface Missing {
  /** Of those that weigh words. */
  ranked: number;
  titled: number;
  /** Of those behind. */
  behind: number;
  titledBehind: number;
}

/** Articles of a part that match, and which of them are ranked. */
export class Candidates {
  readonly part: Part;
  readonly #matching: Matching;
  readonly #isRanked: Uint8Array;
  readonly #ranked = new Int32Array(MOST_RANKED + MOST_TITLED + ENOUGH_RANKED + ENOUGH_TITLED);
  #size = 0;

  /** Until `clear`, the part has no other candidates. */
  constructor(part: Part, matching: Matching) {
    this.part = part;
    this.#matching = matching;
    this.#isRanked = part.marks;
  }

  get ranked(): Int32Array {
    return this.#ranked.subarray(0, this.#size);
  }

  /** Those of a kind that are not ranked. */
  others(mask: number, kind: number): Int32Array {
    const { size, slots, kinds, present } = this.#matching;
    if ((present & kind) !== kind) return new Int32Array(0);
    const isRanked = this.#isRanked;
    const found = new Int32Array(size);
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
    moveFirst(wanted, count, this.part.index.byPopularity);
    this.#ranked.set(wanted.subarray(0, count), this.#size);
    this.#size += count;
    for (let at = 0; at < count; at++) this.#isRanked[wanted[at] as number] = 1;
    return count;
  }

  countRanked(kind: number): number {
    const { size, slots, kinds } = this.#matching;
    let count = 0;
    for (let at = 0; at < size; at++)
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
 * @param parts each less popular than the one before
 */
export function select(
  parts: readonly Candidates[],
  { haveAll, needsAll }: { haveAll: boolean; needsAll: boolean },
): Missing {
  const always = needsAll ? HAS_ALL : 0;
  const take = (most: number, mask: number, kind: number) =>
    parts.reduce((left, part) => left - part.rank(left, mask | always, kind | always), most);
  const missing = (enough: number, kind: number) =>
    Math.max(0, enough - parts.reduce((sum, part) => sum + part.countRanked(kind), 0));
  const ranked = take(MOST_RANKED, BEHIND, 0);
  const titled = ranked > 0 ? MOST_TITLED : take(MOST_TITLED, BEHIND | IS_TITLED, IS_TITLED);
  const [behind, titledBehind] = [missing(ENOUGH_RANKED, HAS_ALL), missing(ENOUGH_TITLED, IS_TITLED)];
  const wanted = BEHIND | (haveAll ? HAS_ALL : 0);
  return {
    ranked,
    titled,
    behind: take(behind, wanted, wanted),
    titledBehind: take(titledBehind, BEHIND | IS_TITLED, BEHIND | IS_TITLED),
  };
}
