import { type Arena, grown, offsetOf, varintBytes, writeVarint } from "./arena.ts";
import { POSITION } from "./row-vector.ts";

/**
 * A sequence is bytes: numbers in groups of seven bits, the highest first, where all bytes but the last of a number have
 * their highest bit. So each number has one byte below 128, its last, and reading can begin anywhere.
 */
const MORE = 0x80;
/** Numbers that are no token: the next token stands where the last one does, or is as many
 * positions further as the next number says. */
const SAME_PLACE = 0;
const GAP = 1;
const FIRST_TOKEN = 2;

/** The smallest numbers of tokens take one byte. */
export const SMALL_NUMBERS = MORE - FIRST_TOKEN;

/** In bytes. */
const LONGEST = 2 ** 18;
const LONGEST_NUMBER = 5;

/** Kinds of bytes: those of tokens for the first place, and of all else that is wanted. */
const FIRST = 1;
const OTHER = 2;

/** Tokens to look for, each with the places of a query that it may take. */
export class WantedTokens {
  masks = new Int32Array(0);
  /** By the last byte of a number, the kinds that it may be. */
  readonly mayBe = new Uint8Array(2 * MORE).fill(OTHER, 0, FIRST_TOKEN);
  #numbers: number[] = [];

  add(number: number, place: number): void {
    if (number >= this.masks.length) this.masks = grown(this.masks, number + 1);
    this.masks[number] = (this.masks[number] as number) | (1 << place);
    const last = (number + FIRST_TOKEN) % MORE;
    this.mayBe[last] = (this.mayBe[last] as number) | (place === 0 ? FIRST : OTHER);
    this.#numbers.push(number);
  }

  clear(): void {
    for (const number of this.#numbers) this.masks[number] = 0;
    this.#numbers = [];
    this.mayBe.fill(0).fill(OTHER, 0, FIRST_TOKEN);
  }
}

/** The tokens of each article in their order. */
export class TokenSequences {
  readonly #arena: Arena;
  #addresses = new Int32Array(256);
  /** Of the article that is added: the last token of each position, plus one, and the one before of each. */
  readonly #last = new Int32Array(POSITION + 1);
  #before = new Int32Array(1_024);
  #numbers = new Int32Array(1_024);
  #size = 0;
  #end = 0;
  /** Of the last reading. */
  positions = new Int32Array(1_024);
  masks = new Int32Array(1_024);
  /** To write one. */
  readonly #bytes = new Uint8Array(LONGEST);

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Beside those of the arena. */
  get bytes(): number {
    return 4 * this.#addresses.length;
  }

  begin(): void {
    this.#last.fill(0, 0, this.#end + 1);
    this.#end = this.#size = 0;
  }

  add(position: number, number: number): void {
    const at = this.#size++;
    if (at === this.#numbers.length) {
      this.#numbers = grown(this.#numbers, at + 1);
      this.#before = grown(this.#before, at + 1);
    }
    this.#numbers[at] = number;
    this.#before[at] = this.#last[position] as number;
    this.#last[position] = at + 1;
    if (position > this.#end) this.#end = position;
  }

  /** Visits what was added, in the order of positions. */
  visit(each: (position: number, number: number) => void): void {
    for (let position = 0; position <= this.#end; position++) {
      for (let at = this.#last[position] as number; at !== 0; at = this.#before[at - 1] as number)
        each(position, this.#numbers[at - 1] as number);
    }
  }

  end(slot: number): void {
    if (slot >= this.#addresses.length) this.#addresses = grown(this.#addresses, slot + 1);
    const bytes = this.#bytes;
    let size = 0;
    let before = 0;
    this.visit((position, number) => {
      // Only a text made for it is longer; its end is in no phrase.
      if (size > LONGEST - 3 * LONGEST_NUMBER) return;
      if (position === before) bytes[size++] = SAME_PLACE;
      else if (position > before + 1) {
        bytes[size++] = GAP;
        size = writeNumber(bytes, size, position - before);
      }
      before = position;
      size = writeNumber(bytes, size, number + FIRST_TOKEN);
    });
    const address = this.#arena.allocate(varintBytes(size) + size);
    const chunk = this.#arena.chunkOf(address);
    chunk.set(bytes.subarray(0, size), writeVarint(chunk, offsetOf(address), size));
    this.#addresses[slot] = address;
  }

  /**
   * Finds the positions of an article, up to one of them, that have a wanted token: fills `positions` and `masks`,
   * of all tokens of a position together, and returns their number.
   */
  read(slot: number, { masks: wanted, mayBe }: WantedTokens, end = POSITION): number {
    const address = this.#addresses[slot] as number;
    const bytes = this.#arena.chunkOf(address);
    const [from, to] = boundsOf(bytes, address);
    if (to - from > this.positions.length) {
      this.positions = grown(this.positions, to - from);
      this.masks = grown(this.masks, to - from);
    }
    const { positions, masks } = this;
    let found = 0;
    let position = 0;
    for (let at = from; at < to && position <= end;) {
      // No more numbers than bytes. Nearly all reading happens here.
      const stop = Math.min(to, at + 1 + end - position);
      for (; at < stop && mayBe[bytes[at] as number] === 0; at++) position += isLast(bytes[at] as number);
      if (at === stop) continue;
      const number = numberAt(bytes, at++);
      if (number === SAME_PLACE) position--;
      else if (number === GAP) {
        const last = lastOf(bytes, at);
        position += numberAt(bytes, last) - 1;
        at = last + 1;
      } else if (++position <= end) {
        const mask = wanted[number - FIRST_TOKEN] ?? 0;
        if (mask === 0) continue;
        if (found > 0 && positions[found - 1] === position)
          masks[found - 1] = (masks[found - 1] as number) | mask;
        else {
          positions[found] = position;
          masks[found++] = mask;
        }
      }
    }
    return found;
  }

  /**
   * Whether tokens stand side by side that take all places.
   * @param length the number of places, of which the first is none of the gaps
   * @param gaps a bit for each place that any token takes
   */
  hasPhrase(slot: number, { masks: wanted, mayBe }: WantedTokens, length: number, gaps: number): boolean {
    const address = this.#addresses[slot] as number;
    const bytes = this.#arena.chunkOf(address);
    const [from, to] = boundsOf(bytes, address);
    const all = 2 ** length - 1;
    for (let at = nextFirst(bytes, mayBe, from, to); at < to; at = nextFirst(bytes, mayBe, at + 1, to)) {
      const number = numberAt(bytes, at);
      if (((wanted[number - FIRST_TOKEN] ?? 0) & 1) === 0 || isOfGap(bytes, from, at)) continue;
      let taken = 1 | gaps;
      for (let next = at + 1, place = 0; taken !== all && next < to; next++) {
        next = lastOf(bytes, next);
        const follower = numberAt(bytes, next);
        if (follower === SAME_PLACE) place--;
        else if (follower === GAP) {
          next = lastOf(bytes, next + 1);
          place += numberAt(bytes, next) - 1;
        } else if (++place < length) taken |= (wanted[follower - FIRST_TOKEN] ?? 0) & (1 << place);
        else break;
      }
      if (taken === all) return true;
    }
    return false;
  }
}

/** Where a sequence begins and ends: its size stands in front of it. */
function boundsOf(bytes: Uint8Array, address: number): [from: number, to: number] {
  const from = lastOf(bytes, offsetOf(address)) + 1;
  let size = 0;
  for (let at = from - 1; at >= offsetOf(address); at--) size = size * MORE + ((bytes[at] as number) % MORE);
  return [from, from + size];
}

/** Writes a number, the highest groups first, and returns where the next one goes. */
function writeNumber(bytes: Uint8Array, at: number, number: number): number {
  const last = at + varintBytes(number) - 1;
  for (let to = last, rest = number; to >= at; to--, rest >>>= 7)
    bytes[to] = to === last ? rest % MORE : MORE + (rest % MORE);
  return last + 1;
}

/** Nearly all reading for phrases happens here. */
function nextFirst(bytes: Uint8Array, mayBe: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && ((mayBe[bytes[at] as number] as number) & FIRST) === 0) at++;
  return at;
}

/** 1 for the last byte of a number, 0 for the others. */
const isLast = (byte: number) => (byte >>> 7) ^ 1;

/** Where the number ends that begins here. */
function lastOf(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] as number) >= MORE) at++;
  return at;
}

/** The number that ends here. */
function numberAt(bytes: Uint8Array, end: number): number {
  let number = bytes[end] as number;
  for (let at = end - 1, factor = MORE; (bytes[at] as number) >= MORE; at--, factor *= MORE)
    number += ((bytes[at] as number) - MORE) * factor;
  return number;
}

/** Whether the number that ends here is that of a gap. */
function isOfGap(bytes: Uint8Array, from: number, end: number): boolean {
  let first = end;
  while (first > from && (bytes[first - 1] as number) >= MORE) first--;
  return (
    first > from && bytes[first - 1] === GAP && (first - 1 === from || (bytes[first - 2] as number) < MORE)
  );
}
