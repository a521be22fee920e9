import { type Arena, grown, MAX_PIECE, offsetOf } from "./arena.ts";
import { POSITION } from "./row-vector.ts";

/**
 * Below the first token: the next token stands where the last one does, so many positions behind it, or has a number in
 * two entries. All other entries are not below the first token, so that reading can begin anywhere.
 */
const SAME_PLACE = 0;
const GAP = 1;
const LARGE = 2;
const FIRST_TOKEN = 3;
/** Of a number in two entries, and of the number of entries before all others. */
const HALF_BITS = 15;
const HALF = 2 ** HALF_BITS - 1;
const LARGEST = 2 ** 16 - 1 - FIRST_TOKEN;
const COUNT_ENTRIES = 2;
/** A large token behind a gap. */
const MAX_ENTRIES = 5;

/** Kinds of entries. */
const FIRST = 1;
const LATER = 2;
const NO_TOKEN = 4;
const ANY = FIRST | LATER | NO_TOKEN;
const BITS = 4_095;

/** Tokens to look for, each with the places of a query that it may take. */
export class WantedTokens {
  masks = new Int32Array(0);
  /** By the last bits of an entry, the kinds that it may be: small enough for every cache. */
  readonly mayBe = new Uint8Array(BITS + 1).fill(NO_TOKEN, 0, FIRST_TOKEN);
  #numbers: number[] = [];

  add(number: number, place: number): void {
    if (number >= this.masks.length) this.masks = grown(this.masks, number + 1);
    this.masks[number] = (this.masks[number] as number) | (1 << place);
    const bits = (number + FIRST_TOKEN) & BITS;
    this.mayBe[bits] = (this.mayBe[bits] as number) | (place === 0 ? FIRST : LATER);
    this.#numbers.push(number);
  }

  clear(): void {
    for (const number of this.#numbers) this.masks[number] = 0;
    this.#numbers = [];
    this.mayBe.fill(0).fill(NO_TOKEN, 0, FIRST_TOKEN);
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
  readonly #entries = new Uint16Array(MAX_PIECE / 2);

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
    const entries = this.#entries;
    let size = COUNT_ENTRIES;
    let before = 0;
    this.visit((position, number) => {
      // Only a text made for it is longer; its end is in no phrase.
      if (size > entries.length - MAX_ENTRIES) return;
      if (position === before) entries[size++] = SAME_PLACE;
      else if (position > before + 1) {
        entries[size++] = GAP;
        entries[size++] = position - before + FIRST_TOKEN;
      }
      before = position;
      if (number > LARGEST) {
        entries[size++] = LARGE;
        entries[size++] = (number >>> HALF_BITS) + FIRST_TOKEN;
        entries[size++] = (number & HALF) + FIRST_TOKEN;
      } else entries[size++] = number + FIRST_TOKEN;
    });
    entries[0] = ((size - COUNT_ENTRIES) & HALF) + FIRST_TOKEN;
    entries[1] = ((size - COUNT_ENTRIES) >>> HALF_BITS) + FIRST_TOKEN;
    const address = this.#arena.allocate(2 * size, 2);
    this.#arena.pairsOf(address).set(entries.subarray(0, size), offsetOf(address) / 2);
    this.#addresses[slot] = address;
  }

  /**
   * Finds the positions of an article, up to one of them, that have a wanted token: fills `positions` and `masks`,
   * of all tokens of a position together, and returns their number.
   */
  read(slot: number, { masks: wanted, mayBe }: WantedTokens, end = POSITION): number {
    const address = this.#addresses[slot] as number;
    const entries = this.#arena.pairsOf(address);
    const [from, to] = boundsOf(entries, address);
    const size = to - from;
    if (size > this.positions.length) {
      this.positions = grown(this.positions, size);
      this.masks = grown(this.masks, size);
    }
    const { positions, masks } = this;
    let found = 0;
    let position = 0;
    let step = 1;
    for (let at = from; at < to && position < end; at++) {
      // Others than these stand one behind the other.
      const next = nextOf(entries, mayBe, ANY, at, Math.min(to, at + end - position));
      if (next > at) {
        position += step + next - at - 1;
        step = 1;
        at = next;
        if (at === to || position === end) break;
      }
      const entry = entries[at] as number;
      if (entry < FIRST_TOKEN) {
        if (entry === SAME_PLACE) step = 0;
        else if (entry === GAP) step = (entries[++at] as number) - FIRST_TOKEN;
        if (entry !== LARGE) continue;
        at += 2;
      }
      position += step;
      if (position > end) break;
      step = 1;
      const mask = wanted[numberAt(entries, at)] ?? 0;
      if (mask === 0) continue;
      if (found > 0 && positions[found - 1] === position)
        masks[found - 1] = (masks[found - 1] as number) | mask;
      else {
        positions[found] = position;
        masks[found++] = mask;
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
    const entries = this.#arena.pairsOf(address);
    const [from, to] = boundsOf(entries, address);
    const all = 2 ** length - 1;
    const nextFirst = (at: number) => nextOf(entries, mayBe, FIRST, at, to);
    for (let at = nextFirst(from); at < to; at = nextFirst(at + 1)) {
      if (isOfGap(entries, at) || ((wanted[numberAt(entries, at)] ?? 0) & 1) === 0) continue;
      let taken = 1 | gaps;
      for (let next = at + 1, place = 0, step = 1; taken !== all && next < to; next++) {
        const entry = entries[next] as number;
        if (entry === SAME_PLACE) step = 0;
        else if (entry === GAP) step = (entries[++next] as number) - FIRST_TOKEN;
        if (entry === LARGE) next += 2;
        else if (entry < FIRST_TOKEN) continue;
        place += step;
        if (place >= length) break;
        step = 1;
        taken |= (wanted[numberAt(entries, next)] ?? 0) & (1 << place);
      }
      if (taken === all) return true;
    }
    return false;
  }
}

function boundsOf(entries: Uint16Array, address: number): [from: number, to: number] {
  const from = offsetOf(address) / 2 + COUNT_ENTRIES;
  const [low, high] = [entries[from - 2] as number, entries[from - 1] as number];
  return [from, from + (((high - FIRST_TOKEN) << HALF_BITS) | (low - FIRST_TOKEN))];
}

/** The next entry that may be one of some kinds: nearly all reading happens here. */
function nextOf(entries: Uint16Array, mayBe: Uint8Array, kinds: number, from: number, to: number): number {
  let at = from;
  while (at < to && ((mayBe[(entries[at] as number) & BITS] as number) & kinds) === 0) at++;
  return at;
}

/** Of the token that ends at an entry. */
function numberAt(entries: Uint16Array, at: number): number {
  const number = (entries[at] as number) - FIRST_TOKEN;
  return entries[at - 2] === LARGE
    ? (((entries[at - 1] as number) - FIRST_TOKEN) << HALF_BITS) | number
    : number;
}

/** Whether the entry is no token. */
function isOfGap(entries: Uint16Array, at: number): boolean {
  return (entries[at] as number) < FIRST_TOKEN || entries[at - 1] === GAP || entries[at - 1] === LARGE;
}
