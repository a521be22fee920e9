import { type Arena, grown, offsetOf } from "./arena.ts";
import { hashOfBytes, StemLinks } from "./row-vector.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";
import { ownStem, stopWordsOf } from "./stemming.ts";

const MOST_FULL = 0.7;
const BYTES_PER_NUMBER = 8;
const NONE = -1;

/** Tokens with the same two first bytes, in the order of their bytes. */
interface Sorted {
  numbers: Int32Array;
  last: number;
}

/** The tokens of an index, each with a number, outside V8's heap: their hash table has open addresses. */
export class Dictionary {
  readonly #arena: Arena;
  #size = 0;
  /** Numbers plus one, by hash. */
  #table = new Int32Array(4_096);
  readonly stems = new StemLinks();
  /** The address of each token's length and bytes. */
  #texts = new Int32Array(1_024);
  /** Links the tokens with the same first two bytes: the newest one, and for each token the one before it. */
  readonly #lastWith = new Map<number, number>();
  #beforeWith = new Int32Array(1_024);
  /** The tokens of the first two bytes that were looked up. */
  readonly #sorted = new Map<number, Sorted>();
  readonly #stopWords = new Map<SearchLanguage, ReadonlySet<number>>();

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** The bytes outside of the arena. */
  get bytes(): number {
    // Counts all tokens as looked up.
    const sorted = 4 * this.#size;
    return 4 * this.#table.length + BYTES_PER_NUMBER * this.#texts.length + sorted + this.stems.bytes;
  }

  find(token: string): number | undefined {
    const bytes = Buffer.from(token);
    const number = this.#lookUp(bytes, 0, bytes.length, hashOfBytes(bytes));
    return number === NONE ? undefined : number;
  }

  add(bytes: Buffer, from: number, to: number, hash: number): number {
    const known = this.#lookUp(bytes, from, to, hash);
    return known === NONE ? this.#insert(bytes, from, to, hash) : known;
  }

  addToken(token: string): number {
    const bytes = Buffer.from(token);
    return this.add(bytes, 0, bytes.length, hashOfBytes(bytes));
  }

  stopWordsOf(language: SearchLanguage): ReadonlySet<number> {
    let numbers = this.#stopWords.get(language);
    if (numbers === undefined) {
      numbers = new Set([...stopWordsOf(language)].map((word) => this.addToken(word)));
      this.#stopWords.set(language, numbers);
    }
    return numbers;
  }

  longerThan(beginning: string): Iterable<number> {
    const wanted = Buffer.from(beginning);
    if (wanted.length === 1) return this.#longerThanByte(wanted[0] as number);
    const numbers = this.#sortedWith(keyOf(wanted, 0, wanted.length));
    const first = firstOf(numbers, (number) => this.#compare(number, wanted) >= 0);
    const end = firstOf(numbers, (number) => this.#compare(number, wanted, wanted.length) > 0);
    const isItself = first < end && this.#compare(numbers[first] as number, wanted) === 0;
    return numbers.subarray(isItself ? first + 1 : first, end);
  }

  #longerThanByte(first: number): number[] {
    const keys = [...this.#lastWith.keys()].filter((key) => key >>> 8 === first && (key & 255) !== 0);
    return keys.flatMap((key) => Array.from(this.#sortedWith(key)));
  }

  #sortedWith(key: number): Int32Array {
    const last = this.#lastWith.get(key) ?? NONE;
    let sorted = this.#sorted.get(key);
    if (sorted?.last !== last) {
      const numbers = Array.from(sorted?.numbers ?? []);
      for (let number = last; number !== (sorted?.last ?? NONE); number = this.#beforeWith[number] as number)
        numbers.push(number);
      numbers.sort((one, other) => this.#compare(one, this.#textOf(other)));
      sorted = { numbers: Int32Array.from(numbers), last };
      this.#sorted.set(key, sorted);
    }
    return sorted?.numbers ?? new Int32Array(0);
  }

  /** Compares the bytes of a token, or the first `most` of them. */
  #compare(number: number, other: Uint8Array, most = Infinity): number {
    const text = this.#textOf(number);
    const size = Math.min(text.length, other.length, most);
    for (let at = 0; at < size; at++)
      if (text[at] !== other[at]) return (text[at] as number) - (other[at] as number);
    return Math.min(text.length, most) - other.length;
  }

  #textOf(number: number): Uint8Array {
    const text = this.#texts[number] as number;
    const bytes = this.#arena.chunkOf(text);
    const at = offsetOf(text);
    return bytes.subarray(at + 1, at + 1 + (bytes[at] as number));
  }

  /** The numbers of the tokens that a token stands for: itself, or the words that have this stem beside themselves. */
  numbersOf(token: string): number[] {
    if (token.startsWith("=")) return this.stems.wordsOf(hashOfBytes(Buffer.from(token)));
    const number = this.find(token);
    return number === undefined ? [] : [number];
  }

  wordOf(number: number): string {
    const text = this.#textOf(number);
    return Buffer.from(text.buffer, text.byteOffset, text.length).toString();
  }

  endStems(language: SearchLanguage): void {
    this.stems.end((number) => {
      const word = this.wordOf(number);
      return hashOfBytes(Buffer.from(ownStem(language, word, word) ?? word));
    });
  }

  #lookUp(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const mask = this.#table.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const number = (this.#table[at] as number) - 1;
      if (number === NONE || this.#is(number, bytes, from, to)) return number;
    }
  }

  #is(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const text = this.#texts[number] as number;
    const known = this.#arena.chunkOf(text);
    let at = offsetOf(text);
    if (known[at++] !== to - from) return false;
    for (let other = from; other < to; other++) if (known[at++] !== bytes[other]) return false;
    return true;
  }

  #insert(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const number = this.#size++;
    if (number === this.#texts.length) this.#grow();
    if (this.#size > MOST_FULL * this.#table.length) this.#enlargeTable();
    this.#place(number, hash);
    const text = this.#arena.allocate(to - from + 1);
    const chunk = this.#arena.chunkOf(text);
    chunk[offsetOf(text)] = to - from;
    chunk.set(bytes.subarray(from, to), offsetOf(text) + 1);
    this.#texts[number] = text;
    const key = keyOf(bytes, from, to);
    this.#beforeWith[number] = this.#lastWith.get(key) ?? NONE;
    this.#lastWith.set(key, number);
    return number;
  }

  #place(number: number, hash: number): void {
    const mask = this.#table.length - 1;
    let at = hash & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = number + 1;
  }

  #enlargeTable(): void {
    this.#table = new Int32Array(2 * this.#table.length);
    for (let number = 0; number < this.#size - 1; number++)
      this.#place(number, hashOfBytes(this.#textOf(number)));
  }

  #grow(): void {
    const size = this.#texts.length + 1;
    this.#texts = grown(this.#texts, size);
    this.#beforeWith = grown(this.#beforeWith, size);
  }
}

function keyOf(bytes: Uint8Array, from: number, to: number): number {
  const second = to - from > 1 ? (bytes[from + 1] as number) : 0;
  return ((bytes[from] as number) << 8) | second;
}

/** Where the numbers of which this is true begin, which stand behind the others. */
function firstOf(numbers: Int32Array, isTrue: (number: number) => boolean): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isTrue(numbers[middle] as number)) to = middle;
    else from = middle + 1;
  }
  return from;
}
