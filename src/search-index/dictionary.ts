import { type Arena, grown, offsetOf } from "./arena.ts";
import { hashOfBytes } from "./row-vector.ts";
import { isStopWord } from "./stop-words.ts";
import { stemForm } from "./tokens.ts";

const MOST_FULL = 0.7;
const BYTES_PER_NUMBER = 17;
const BYTES_PER_BEGINNING = 40;
/** Of two bytes, estimated. */
const THIRDS = 10;
const NONE = -1;

/** The tokens of an index, each with a number, outside V8's heap: their hash table has open addresses. */
export class Dictionary {
  readonly #arena: Arena;
  #size = 0;
  /** Numbers plus one, by hash. */
  #table = new Int32Array(4_096);
  #hashes = new Int32Array(1_024);
  /** Where the length and the bytes of each stand. */
  #texts = new Int32Array(1_024);
  /** By their first two bytes and by the third: the last token with them, and for each token the one before. */
  readonly #lastWith = new Map<number, Map<number, number>>();
  #beforeWith = new Int32Array(1_024);
  /** The same for words of a stem, by the number of the stem. */
  readonly #lastOf = new Map<number, number>();
  #beforeOf = new Int32Array(1_024);
  #stopWords = new Uint8Array(1_024);

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  get size(): number {
    return this.#size;
  }

  /** Beside those of the arena. */
  get bytes(): number {
    const beginnings = BYTES_PER_BEGINNING * (THIRDS * this.#lastWith.size + this.#lastOf.size);
    return 4 * this.#table.length + BYTES_PER_NUMBER * this.#texts.length + beginnings;
  }

  find(token: string): number | undefined {
    const bytes = Buffer.from(token);
    const number = this.#lookUp(bytes, 0, bytes.length, hashOfBytes(bytes));
    return number === NONE ? undefined : number;
  }

  /** The number of a token, which is new or known. */
  add(bytes: Buffer, from: number, to: number, hash: number): number {
    const known = this.#lookUp(bytes, from, to, hash);
    if (known !== NONE) return known;
    const number = this.#insert(bytes, from, to, hash);
    const token = bytes.toString("utf8", from, to);
    if (isStopWord(token)) this.#stopWords[number] = 1;
    const stem = stemForm(token);
    if (stem !== undefined) this.#addInflection(number, Buffer.from(stem));
    return number;
  }

  isStopWord(number: number): boolean {
    return this.#stopWords[number] === 1;
  }

  /** The numbers of longer tokens. */
  longerThan(beginning: string): number[] {
    const wanted = Buffer.from(beginning);
    const found: number[] = [];
    for (const last of this.#lastWithBeginning(wanted)) {
      for (let number = last; number !== NONE; number = this.#beforeWith[number] as number) {
        const text = this.#texts[number] as number;
        const bytes = this.#arena.chunkOf(text);
        const at = offsetOf(text);
        if (
          (bytes[at] as number) > wanted.length &&
          wanted.every((byte, place) => bytes[at + 1 + place] === byte)
        )
          found.push(number);
      }
    }
    return found;
  }

  #lastWithBeginning([first = 0, second, third]: Uint8Array): number[] {
    if (second === undefined)
      return [...this.#lastWith].flatMap(([key, last]) => (key >>> 8 === first ? [...last.values()] : []));
    const last = this.#lastWith.get((first << 8) | second);
    if (last === undefined) return [];
    if (third === undefined) return [...last.values()];
    const exact = last.get(third);
    return exact === undefined ? [] : [exact];
  }

  /** The numbers of the words that have a stem. */
  inflectionsOf(stemToken: string): number[] {
    const stem = this.find(stemToken);
    const found: number[] = [];
    let number = stem === undefined ? NONE : (this.#lastOf.get(stem) ?? NONE);
    for (; number !== NONE; number = this.#beforeOf[number] as number) found.push(number);
    return found;
  }

  #addInflection(number: number, stemToken: Buffer): void {
    const hash = hashOfBytes(stemToken);
    const known = this.#lookUp(stemToken, 0, stemToken.length, hash);
    const stem = known === NONE ? this.#insert(stemToken, 0, stemToken.length, hash) : known;
    this.#beforeOf[number] = this.#lastOf.get(stem) ?? NONE;
    this.#lastOf.set(stem, number);
  }

  #lookUp(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const mask = this.#table.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const number = (this.#table[at] as number) - 1;
      if (number === NONE || (this.#hashes[number] === hash && this.#is(number, bytes, from, to)))
        return number;
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
    this.#hashes[number] = hash;
    this.#place(number);
    const text = this.#arena.allocate(to - from + 1);
    const chunk = this.#arena.chunkOf(text);
    chunk[offsetOf(text)] = to - from;
    chunk.set(bytes.subarray(from, to), offsetOf(text) + 1);
    this.#texts[number] = text;
    const size = to - from;
    const key = ((bytes[from] as number) << 8) | (size > 1 ? (bytes[from + 1] as number) : 0);
    let last = this.#lastWith.get(key);
    if (last === undefined) this.#lastWith.set(key, (last = new Map()));
    const third = size > 2 ? (bytes[from + 2] as number) : 0;
    this.#beforeWith[number] = last.get(third) ?? NONE;
    last.set(third, number);
    return number;
  }

  #place(number: number): void {
    const mask = this.#table.length - 1;
    let at = (this.#hashes[number] as number) & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = number + 1;
  }

  #enlargeTable(): void {
    this.#table = new Int32Array(2 * this.#table.length);
    for (let number = 0; number < this.#size - 1; number++) this.#place(number);
  }

  #grow(): void {
    const size = Math.ceil(1.5 * this.#texts.length);
    this.#hashes = grown(this.#hashes, size);
    this.#texts = grown(this.#texts, size);
    this.#beforeWith = grown(this.#beforeWith, size);
    this.#beforeOf = grown(this.#beforeOf, size);
    this.#stopWords = grown(this.#stopWords, size);
  }
}
