import { type Arena, grown, offsetOf, varintBytes, writeVarint } from "./arena.ts";
import { POSITION } from "./row-vector.ts";
import {
  ANY,
  FIRST,
  FIRST_TOKEN,
  GAP,
  lastOf,
  LONGEST_NUMBER,
  MORE,
  numberAt,
  SAME_PLACE,
  type WantedTokens,
  writeNumber,
} from "./sequence-bytes.ts";

const LONGEST = 2 ** 18;

/** Words of a query that stand so far apart have nothing to do with each other. */
export const FAR = 3;
const CERTAINLY_FAR = FAR * LONGEST_NUMBER;

/** The tokens of each article in their order. */
export class TokenSequences {
  readonly #arena: Arena;
  #addresses = new Int32Array(256);
  /** Links the added tokens of each position: the last token plus one, and for each token the one before it. */
  readonly #last = new Int32Array(POSITION + 1);
  #before = new Int32Array(1_024);
  #numbers = new Int32Array(1_024);
  #size = 0;
  #end = 0;
  /** The positions that the last `read` found, and their masks. */
  positions = new Int32Array(1_024);
  masks = new Int32Array(1_024);
  readonly #bytes = new Uint8Array(LONGEST);

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** The bytes outside of the arena. */
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

  /** Visits what was added, in the order of positions up to one. */
  visit(each: (position: number, number: number) => void, last = this.#end): void {
    for (let position = 0; position <= last; position++) {
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
      // Only a text that is made to be longer loses its end, which no phrase finds.
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
   * Finds the positions of an article that have a wanted token: fills `positions` and `masks`, of all tokens of a position
   * together, and returns their number. Behind the end of the head, positions are right but for their distance to the one
   * before, of which it is only known that it is not less than `FAR`.
   * @param isWhole with the body
   */
  read(slot: number, { masks: wanted, mayBe }: WantedTokens, headEnd: number, isWhole: boolean): number {
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
    const end = isWhole ? POSITION : headEnd;
    for (let at = from; at < to && position <= end;) {
      const isInHead = position <= headEnd;
      // No more numbers than bytes.
      const stop = isInHead ? Math.min(to, at + 1 + headEnd - position) : to;
      const next = nextOf(bytes, mayBe, ANY, at, stop);
      position += isInHead || next - at <= CERTAINLY_FAR ? numbersIn(bytes, at, next) : FAR;
      at = next;
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

  hasPhrase(slot: number, wanted: WantedTokens): boolean {
    const address = this.#addresses[slot] as number;
    const bytes = this.#arena.chunkOf(address);
    const [from, to] = boundsOf(bytes, address);
    const { onlyFirst } = wanted;
    if (onlyFirst === undefined) {
      const next = (at: number) => nextOf(bytes, wanted.mayBe, FIRST, at, to);
      for (let at = next(from); at < to; at = next(at + 1))
        if (beginsPhrase(bytes, { from, at, to }, wanted)) return true;
      return false;
    }
    const sequence = bytes.subarray(from, to);
    for (let at = sequence.indexOf(onlyFirst); at >= 0; at = sequence.indexOf(onlyFirst, at + 1)) {
      const end = from + at + onlyFirst.length - 1;
      if (beginsPhrase(bytes, { from, at: end, to }, wanted)) return true;
    }
    return false;
  }
}

interface Bounds {
  from: number;
  at: number;
  to: number;
}

/** Whether a token that may be the first one ends here, and the others follow. */
function beginsPhrase(
  bytes: Uint8Array,
  { from, at, to }: Bounds,
  { masks: wanted, length, gaps }: WantedTokens,
): boolean {
  const number = numberAt(bytes, at);
  if (((wanted[number - FIRST_TOKEN] ?? 0) & 1) === 0 || isOfGap(bytes, from, at)) return false;
  const all = 2 ** length - 1;
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
  return taken === all;
}

/** Where a sequence begins and ends: its size stands in front of it. */
function boundsOf(bytes: Uint8Array, address: number): [from: number, to: number] {
  const from = lastOf(bytes, offsetOf(address)) + 1;
  let size = 0;
  for (let at = from - 1; at >= offsetOf(address); at--) size = size * MORE + ((bytes[at] as number) % MORE);
  return [from, from + size];
}

/** The next byte of some kinds: nearly all reading happens here. */
function nextOf(bytes: Uint8Array, mayBe: Uint8Array, kinds: number, from: number, to: number): number {
  let at = from;
  while (at < to && ((mayBe[bytes[at] as number] as number) & kinds) === 0) at++;
  return at;
}

function numbersIn(bytes: Uint8Array, from: number, to: number): number {
  let count = to - from;
  for (let at = from; at < to; at++) count -= (bytes[at] as number) >>> 7;
  return count;
}

function isOfGap(bytes: Uint8Array, from: number, end: number): boolean {
  let first = end;
  while (first > from && (bytes[first - 1] as number) >= MORE) first--;
  return (
    first > from && bytes[first - 1] === GAP && (first - 1 === from || (bytes[first - 2] as number) < MORE)
  );
}
