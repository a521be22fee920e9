import { grown } from "./arena.ts";
import { FIRST_TOKEN, LONGEST_NUMBER, MORE, writeNumber } from "./sequence-bytes.ts";

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
