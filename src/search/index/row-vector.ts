import { grown } from "./arena.ts";
import { FIELD_GAP } from "./vector.ts";

/** Where the fields of an article end: the last position of each. Those of tags and names are one field. */
export interface FieldEnds {
  title: number;
  names: number;
  description: number;
  body: number;
}

/** A token of a row: its bytes, their hash, and its positions at `positions`, two bytes each. */
export type VisitToken = (from: number, to: number, hash: number, positions: number, count: number) => void;

export const POSITION = 0x3fff;
export const WEIGHT_A = 3;
const WEIGHT_B = 2;

const FIRST_HASH = 0x811c9dc5;
/** FNV-1a (Fowler, Noll, Vo), of 32 bits. */
const nextHash = (hash: number, byte: number) => Math.imul(hash ^ byte, 0x01000193);

export function hashOfBytes(bytes: Uint8Array): number {
  let hash = FIRST_HASH;
  for (const byte of bytes) hash = nextHash(hash, byte);
  return hash;
}

export const readShort = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

/**
 * Visits the tokens of a `tsvector` as `tsvectorsend` writes it: a count, and for each token its bytes, a zero, the number
 * of its positions, and these with a weight in their two highest bits.
 */
export function visitTokens(vector: Buffer, visit: VisitToken): void {
  let at = 4;
  for (let left = vector.readInt32BE(0); left > 0; left--) {
    const from = at;
    let hash = FIRST_HASH;
    for (let byte = vector[at] as number; byte !== 0; byte = vector[++at] as number)
      hash = nextHash(hash, byte);
    const count = readShort(vector, at + 1);
    visit(from, at, hash, at + 3, count);
    at += 3 + 2 * count;
  }
}

/** Reads the weights of vector.ts: A for titles alone, B for tags and names, B or C for words derived from titles. */
export function fieldEnds(vector: Buffer): FieldEnds {
  const last = [0, 0, 0, 0];
  let at = 4;
  for (let left = vector.readInt32BE(0); left > 0; left--) {
    while (vector[at] !== 0) at++;
    const to = at + 3 + 2 * readShort(vector, at + 1);
    for (at += 3; at < to; at += 2) {
      const entry = readShort(vector, at);
      const weight = entry >>> 14;
      if ((entry & POSITION) > (last[weight] as number)) last[weight] = entry & POSITION;
    }
  }
  const [body, description] = last as [number, number, number, number];
  const [title, names] = [last[WEIGHT_A] as number, last[WEIGHT_B] as number];
  const head = Math.max(title, names, description);
  return {
    title,
    names: Math.max(title, names),
    description: head,
    body: Math.max(head + FIELD_GAP, body),
  };
}

export const STEM_SIGN = "=".charCodeAt(0);

/** The number of the field of a position: title, tags and names, description, body. */
export function fieldAt(position: number, { title, names, description }: FieldEnds): number {
  if (position <= title) return 0;
  if (position <= names) return 1;
  return position <= description ? 2 : 3;
}

export function frequentTokens(vectors: readonly Buffer[], most: number): string[] {
  const positions = new Map<string, number>();
  for (const vector of vectors) {
    visitTokens(vector, (from, to, _hash, _positions, count) => {
      if (vector[from] === STEM_SIGN) return;
      const token = vector.toString("utf8", from, to);
      positions.set(token, (positions.get(token) ?? 0) + count);
    });
  }
  const found = [...positions].toSorted(([, one], [, other]) => other - one).slice(0, most);
  return found.map(([token]) => token);
}

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

  begin(): void {
    this.#at.fill(0, 0, this.#end + 1);
    this.#tokensAt.fill(0, 0, this.#end + 1);
    this.#end = 0;
    this.#open = [];
  }

  note(row: Buffer, hash: number, positions: number, count: number): void {
    for (let at = positions, end = positions + 2 * count; at < end; at += 2) {
      const position = readShort(row, at) & POSITION;
      this.#at[position] = hash;
      if (position > this.#end) this.#end = position;
    }
  }

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
