import { grown } from "./arena.ts";
import type { Matches } from "./matching.ts";

/** Adds up, for each article, what the words of a query say of it: by slot. */
export class Sums {
  #scores = new Float32Array(0);
  /** The weight of the words that an article has, and of those in its title. */
  shares = new Float32Array(0);
  titleShares = new Float32Array(0);
  /** The number of words of the query in an article's title. */
  titles = new Float32Array(0);
  /** The weight of all words. */
  total = 0;
  /** The articles with some word. */
  slots = new Int32Array(0);
  size = 0;

  /**
   * @param size the number of slots
   * @param weights of each; 0 for those that don't count
   * @param total the weight of all
   */
  add(size: number, found: readonly (Matches | undefined)[], { weights, total }: Weights): void {
    if (this.#scores.length < size) this.#grow(size);
    const [scores, shares, titles, titleShares] = [this.#scores, this.shares, this.titles, this.titleShares];
    const all = this.slots;
    let count = 0;
    this.total = total;
    for (let word = 0; word < found.length; word++) {
      const matches = found[word];
      if (matches === undefined) continue;
      const weight = weights[word] as number;
      const { size: matching, slots, impacts, titles: inTitles } = matches;
      for (let at = 0; at < matching; at++) {
        const slot = slots[at] as number;
        const share = shares[slot] as number;
        if (share === 0) all[count++] = slot;
        shares[slot] = share + weight;
        scores[slot] = (scores[slot] as number) + weight * (impacts[at] as number);
        const inTitle = inTitles[at] as number;
        if (inTitle === 0) continue;
        titles[slot] = (titles[slot] as number) + inTitle;
        titleShares[slot] = (titleShares[slot] as number) + weight;
      }
    }
    this.size = count;
  }

  #grow(size: number): void {
    this.#scores = grown(this.#scores, size);
    this.shares = grown(this.shares, size);
    this.titles = grown(this.titles, size);
    this.titleShares = grown(this.titleShares, size);
    this.slots = grown(this.slots, size);
  }

  /** The mean impact that the words have on an article, by weight. */
  scoreOf(slot: number): number {
    return this.total === 0 ? 0 : (this.#scores[slot] as number) / this.total;
  }

  clear(): void {
    for (let at = 0; at < this.size; at++) {
      const slot = this.slots[at] as number;
      this.#scores[slot] = this.shares[slot] = this.titles[slot] = this.titleShares[slot] = 0;
    }
    this.size = 0;
  }
}

/** The weights of the words of a query. */
export interface Weights {
  weights: readonly number[];
  total: number;
}
