import { type Arena, grown, offsetOf, varintBytes, writeVarint } from "./arena.ts";

const SMALLEST = 4;
const LARGEST = 2 ** 30;
const GROWTH = 1.3;
/** The sizes of pieces: a list that fills its piece moves to the next larger one. */
const SIZES: number[] = [];
for (let size = SMALLEST; size < LARGEST; size = Math.max(size + 2, Math.ceil(GROWTH * size)))
  SIZES.push(size);
const BYTES_PER_LIST = 17;

/** Lists of articles, each a number that rises within a list, with a byte. */
export class PostingLists {
  readonly #arena: Arena;
  #addresses = new Int32Array(1_024);
  /** The size of each list's piece: an index in `SIZES`, plus one. */
  #sizes = new Uint8Array(1_024);
  #used = new Int32Array(1_024);
  #last = new Int32Array(1_024);
  #counts = new Int32Array(1_024);
  readonly #free: number[][] = SIZES.map(() => []);
  /** The entries that the last `read` found. */
  slots = new Int32Array(1_024);
  impacts = new Uint8Array(1_024);

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** The bytes outside of the arena. */
  get bytes(): number {
    return BYTES_PER_LIST * this.#addresses.length + 5 * this.slots.length;
  }

  append(list: number, slot: number, impact: number): void {
    if (list >= this.#addresses.length) this.#grow(list + 1);
    const difference = slot + 1 - (this.#last[list] as number);
    const used = this.#used[list] as number;
    const needed = used + varintBytes(difference) + 1;
    if (needed > (SIZES[(this.#sizes[list] as number) - 1] ?? 0)) this.#enlarge(list, needed);
    const address = this.#addresses[list] as number;
    const bytes = this.#arena.chunkOf(address);
    const from = offsetOf(address);
    const at = writeVarint(bytes, from + used, difference);
    bytes[at] = impact;
    this.#used[list] = at + 1 - from;
    this.#last[list] = slot + 1;
    this.#counts[list] = (this.#counts[list] as number) + 1;
  }

  /** Fills `slots` and `impacts` with the first entries of a list, and returns their number. */
  read(list: number, most = Infinity): number {
    const count = Math.min(most, this.#counts[list] ?? 0);
    if (count === 0) return 0;
    if (count > this.slots.length) {
      this.slots = new Int32Array(Math.ceil(1.5 * count));
      this.impacts = new Uint8Array(this.slots.length);
    }
    const { slots, impacts } = this;
    const address = this.#addresses[list] as number;
    const bytes = this.#arena.chunkOf(address);
    let at = offsetOf(address);
    let slot = -1;
    for (let found = 0; found < count; found++) {
      let difference = bytes[at++] as number;
      if (difference > 127) {
        difference &= 127;
        for (let shift = 7; ; shift += 7) {
          const next = bytes[at++] as number;
          difference |= (next & 127) << shift;
          if (next < 128) break;
        }
      }
      slot += difference;
      slots[found] = slot;
      impacts[found] = bytes[at++] as number;
    }
    return count;
  }

  #enlarge(list: number, needed: number): void {
    const before = this.#sizes[list] as number;
    let size = before;
    while ((SIZES[size] as number) < needed) size++;
    const address = this.#free[size]?.pop() ?? this.#arena.allocate(SIZES[size] as number);
    if (before > 0) {
      const left = this.#addresses[list] as number;
      const from = offsetOf(left);
      const bytes = this.#arena.chunkOf(left).subarray(from, from + (this.#used[list] as number));
      this.#arena.chunkOf(address).set(bytes, offsetOf(address));
      this.#free[before - 1]?.push(left);
    }
    this.#addresses[list] = address;
    this.#sizes[list] = size + 1;
  }

  #grow(size: number): void {
    this.#addresses = grown(this.#addresses, size);
    this.#sizes = grown(this.#sizes, size);
    this.#used = grown(this.#used, size);
    this.#last = grown(this.#last, size);
    this.#counts = grown(this.#counts, size);
  }
}
