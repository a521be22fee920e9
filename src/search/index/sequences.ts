import type { ArticleIndex } from "./article-index.ts";
import type { Forms } from "./terms.ts";
import { WantedTokens } from "./sequence-bytes.ts";

/** The most words with a bit each. More words side by side hardly tell more. */
export const MOST_PLACES = 30;

/** Far before the first position. */
const NOWHERE = -10;

export interface Nearness {
  pairs: Float64Array;
  /** The words that stand in the title, a bit each. */
  titleMask: number;
  isAsTyped: boolean;
}

/** Reads the sequences of articles for words that stand side by side. */
export class SequenceReader {
  readonly #index: ArticleIndex;
  readonly #wanted = new WantedTokens();
  /** The pairs of the article that was read last, and the last position of each word. */
  readonly #pairs = new Float64Array(MOST_PLACES - 1);
  readonly #last = new Int32Array(MOST_PLACES);

  constructor(index: ArticleIndex) {
    this.#index = index;
  }

  load(places: readonly Forms[]): void {
    this.#wanted.clear();
    this.#wanted.gaps = 0;
    const given = places.slice(0, MOST_PLACES);
    this.#wanted.length = given.length;
    for (const [at, place] of given.entries()) {
      if (place.length === 0) this.#wanted.gaps |= 1 << at;
      for (const { token, isBeginning } of place) {
        const { tokens } = this.#index;
        for (const number of tokens.numbersOf(token)) this.#wanted.add(number, at);
        if (isBeginning === true) for (const longer of tokens.longerThan(token)) this.#wanted.add(longer, at);
      }
    }
  }

  isPhrase(slot: number): boolean {
    return this.#index.sequences.hasPhrase(slot, this.#wanted);
  }

  /**
   * How near each word and the next one stand: 1 side by side, half with one between them or in the other order, less
   * outside of the title. Good until the next reading.
   * @param isWhole with the body
   */
  nearness(slot: number, outsideTitle: number, isWhole: boolean): Nearness {
    const { sequences, titleEnds, headEnds } = this.#index;
    const { length } = this.#wanted;
    const titleEnd = titleEnds[slot] as number;
    const pairs = this.#pairs.fill(0);
    const last = this.#last.fill(NOWHERE);
    const found = sequences.read(slot, this.#wanted, headEnds[slot] as number, isWhole);
    const { positions, masks } = sequences;
    let titleMask = 0;
    let chain = 0;
    let before = 0;
    let isAsTyped = false;
    for (let at = 0; at < found; at++) {
      const position = positions[at] as number;
      const mask = masks[at] as number;
      const factor = position <= titleEnd ? 1 : outsideTitle;
      if (position <= titleEnd) titleMask |= mask;
      chain = (((position === before + 1 ? chain : 0) << 1) | 1) & mask;
      before = position;
      if ((chain & (1 << (length - 1))) !== 0) isAsTyped = true;
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const word = lowestBit(rest);
        const distance = word > 0 ? position - (last[word - 1] as number) : 0;
        if (distance === 1) note(pairs, word - 1, factor);
        else if (distance === 2) note(pairs, word - 1, factor / 2);
        if (word < length - 1 && position - (last[word + 1] as number) === 1) note(pairs, word, factor / 2);
      }
      for (let rest = mask; rest !== 0; rest &= rest - 1) last[lowestBit(rest)] = position;
    }
    return { pairs, titleMask, isAsTyped };
  }
}

const lowestBit = (bits: number) => 31 - Math.clz32(bits & -bits);

function note(pairs: Float64Array, pair: number, value: number): void {
  if (value > (pairs[pair] as number)) pairs[pair] = value;
}
