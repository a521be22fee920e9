import { grown, varintBytes } from "./arena.ts";

/**
 * A sequence is bytes: numbers in groups of seven bits, the highest first, where all bytes but the last of a number have
 * their highest bit. So each number has one byte below 128, its last, and reading can begin anywhere.
 */
export const MORE = 0x80;
/**
 * Numbers that are no token: the next token stands where the last one does, or as many positions further as the next
 * number says.
 */
export const SAME_PLACE = 0;
export const GAP = 1;
export const FIRST_TOKEN = 2;

export const SMALL_NUMBERS = MORE - FIRST_TOKEN;

export const LONGEST_NUMBER = 5;

/** Writes a number, the highest groups first, and returns where the next one goes. */
export function writeNumber(bytes: Uint8Array, at: number, number: number): number {
  const last = at + varintBytes(number) - 1;
  for (let to = last, rest = number; to >= at; to--, rest >>>= 7)
    bytes[to] = to === last ? rest % MORE : MORE + (rest % MORE);
  return last + 1;
}

export function lastOf(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] as number) >= MORE) at++;
  return at;
}

export function numberAt(bytes: Uint8Array, end: number): number {
  let number = bytes[end] as number;
  for (let at = end - 1, factor = MORE; (bytes[at] as number) >= MORE; at--, factor *= MORE)
    number += ((bytes[at] as number) - MORE) * factor;
  return number;
}

/** Kinds of bytes: those of tokens for the first place, and of all else that is wanted. */
export const FIRST = 1;
const OTHER = 2;
export const ANY = FIRST | OTHER;

/** Tokens to look for, each with the places of a query that it may take. */
export class WantedTokens {
  masks = new Int32Array(0);
  /** The kinds that a number may be, indexed by its last byte. */
  readonly mayBe = new Uint8Array(2 * MORE).fill(OTHER, 0, FIRST_TOKEN);
  /** The number of places, and a bit for each that any token takes; the first is none of these. */
  length = 0;
  gaps = 0;
  #numbers: number[] = [];
  #firsts = 0;
  /** The bytes of the only token for the first place; undefined for one byte, which many other tokens end in. */
  onlyFirst: Buffer | undefined;

  add(number: number, place: number): void {
    if (number >= this.masks.length) this.masks = grown(this.masks, number + 1);
    this.masks[number] = (this.masks[number] as number) | (1 << place);
    const last = (number + FIRST_TOKEN) % MORE;
    this.mayBe[last] = (this.mayBe[last] as number) | (place === 0 ? FIRST : OTHER);
    this.#numbers.push(number);
    if (place > 0) return;
    this.onlyFirst = this.#firsts++ === 0 ? longBytesOf(number + FIRST_TOKEN) : undefined;
  }

  clear(): void {
    for (const number of this.#numbers) this.masks[number] = 0;
    this.#numbers = [];
    this.#firsts = 0;
    this.onlyFirst = undefined;
    this.mayBe.fill(0).fill(OTHER, 0, FIRST_TOKEN);
  }
}

function longBytesOf(number: number): Buffer | undefined {
  const bytes = Buffer.alloc(LONGEST_NUMBER);
  const size = writeNumber(bytes, 0, number);
  return size > 1 ? bytes.subarray(0, size) : undefined;
}
