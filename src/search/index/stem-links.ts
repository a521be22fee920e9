import { grown } from "./arena.ts";
import { POSITION, readShort } from "./row-vector.ts";

/** A few stems share a bucket. */
const BUCKETS = 2 ** 14;
const BYTES_PER_LINK = 12;

/**
 * The words of each stem, which rows tell: a stem has the positions of its words. A stem is known by its hash; that of
 * another equals it once in four billion.
 */
export class StemLinks {
  /** Links those of each bucket: the newest plus one, and for each the one before it. */
  readonly #lastOf = new Int32Array(BUCKETS);
  #before = new Int32Array(1_024);
  #hashes = new Int32Array(1_024);
  #words = new Int32Array(1_024);
  #size = 0;
  /** The stem that each word was linked to last. */
  #lastStem = new Int32Array(1_024);
  /** The stem at each position of a row, 0 for none, and the number of tokens there. */
  readonly #at = new Int32Array(POSITION + 1);
  readonly #tokensAt = new Uint8Array(POSITION + 1);
  #end = 0;
  /** Words of the row that may have a new stem, each with its position. */
  #open: number[] = [];

  get bytes(): number {
    return 4 * (BUCKETS + this.#lastStem.length) + BYTES_PER_LINK * this.#words.length;
  }

  /** Begins a row. */
  begin(): void {
    this.#at.fill(0, 0, this.#end + 1);
    this.#tokensAt.fill(0, 0, this.#end + 1);
    this.#end = 0;
    this.#open = [];
  }

  /** Notes a stem of the row at its positions. */
  note(row: Buffer, hash: number, positions: number, count: number): void {
    for (let at = positions, end = positions + 2 * count; at < end; at += 2) {
      const position = readShort(row, at) & POSITION;
      this.#at[position] = hash;
      if (position > this.#end) this.#end = position;
    }
  }

  /** The stem at a position of the row; 0 for none. */
  at(position: number): number {
    return this.#at[position] as number;
  }

  /** Notes a word of the row, behind its stems; the position of a late word is 0. */
  meet(word: number, position: number): void {
    const stem = this.#at[position] as number;
    (this.#tokensAt[position] as number)++;
    if (position === 0 || (stem !== 0 && this.#lastStem[word] !== stem)) this.#open.push(word, position);
  }

  /**
   * Links the words of the row that were noted.
   * @param stemOf gives the stem of a word that shares its position, as the parts of a compound do, or has none
   */
  end(stemOf: (word: number) => number): void {
    for (let at = 0; at < this.#open.length; at += 2) {
      const [word, position] = [this.#open[at] as number, this.#open[at + 1] as number];
      if (position > 0 && this.#tokensAt[position] === 1) this.#link(word, this.#at[position] as number);
      else if ((this.#lastStem[word] ?? 0) === 0) this.#link(word, stemOf(word));
    }
  }

  #link(word: number, stem: number): void {
    if (word >= this.#lastStem.length) this.#lastStem = grown(this.#lastStem, word + 1);
    this.#lastStem[word] = stem;
    if (this.wordsOf(stem).includes(word)) return;
    const number = this.#size++;
    if (number === this.#words.length) {
      this.#before = grown(this.#before, number + 1);
      this.#hashes = grown(this.#hashes, number + 1);
      this.#words = grown(this.#words, number + 1);
    }
    const bucket = stem & (BUCKETS - 1);
    this.#before[number] = this.#lastOf[bucket] as number;
    this.#lastOf[bucket] = number + 1;
    this.#hashes[number] = stem;
    this.#words[number] = word;
  }

  wordsOf(stem: number): number[] {
    const found: number[] = [];
    let link = this.#lastOf[stem & (BUCKETS - 1)] as number;
    for (; link !== 0; link = this.#before[link - 1] as number)
      if (this.#hashes[link - 1] === stem) found.push(this.#words[link - 1] as number);
    return found;
  }
}
