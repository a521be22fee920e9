import { type Arena, grown, offsetOf, varintBytes, writeVarint } from "./arena.ts";

/** A list grows by pieces of these sizes. */
const PIECES = [5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300, 450, 700, 1_000, 1_500, 2_000];
/** A zero in place of a difference, and the address of the next piece. */
const LINK_BYTES = 5;
const BYTES_PER_LIST = 19;

/** Lists of articles, each a number that rises within a list, with a byte. */
export class PostingLists {
  readonly #arena: Arena;
  /** Addresses plus one. */
  #first = new Int32Array(1_024);
  /** Where the next entry goes, and the room behind it. */
  #tail = new Int32Array(1_024);
  #room = new Uint16Array(1_024);
  #last = new Int32Array(1_024);
  #counts = new Int32Array(1_024);
  #pieces = new Uint8Array(1_024);
  /** Of the list that was read last. */
  slots = new Int32Array(1_024);
  impacts = new Uint8Array(1_024);

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Beside those of the arena. */
  get bytes(): number {
    return BYTES_PER_LIST * this.#first.length + 5 * this.slots.length;
  }

  countOf(list: number): number {
    return this.#counts[list] ?? 0;
  }

  append(list: number, slot: number, impact: number): void {
    if (list >= this.#first.length) this.#grow(list + 1);
    // At least 1.
    const difference = slot + 1 - (this.#last[list] as number);
    const isNew = this.#first[list] === 0;
    if (isNew || (this.#room[list] as number) <= varintBytes(difference)) this.#addPiece(list, isNew);
    const address = this.#tail[list] as number;
    const bytes = this.#arena.chunkOf(address);
    const from = offsetOf(address);
    const at = writeVarint(bytes, from, difference);
    bytes[at] = impact;
    this.#tail[list] = address + at + 1 - from;
    this.#room[list] = (this.#room[list] as number) - (at + 1 - from);
    this.#last[list] = slot + 1;
    this.#counts[list] = (this.#counts[list] as number) + 1;
  }

  /** Fills `slots` and `impacts`, and returns their number. */
  read(list: number): number {
    const count = this.countOf(list);
    if (count === 0) return 0;
    if (count > this.slots.length) {
      this.slots = new Int32Array(Math.ceil(1.5 * count));
      this.impacts = new Uint8Array(this.slots.length);
    }
    const { slots, impacts } = this;
    let address = (this.#first[list] as number) - 1;
    let slot = -1;
    for (let found = 0; found < count;) {
      const bytes = this.#arena.chunkOf(address);
      let at = offsetOf(address);
      for (; found < count; found++) {
        let difference = bytes[at] as number;
        if (difference === 0) break;
        at++;
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
      if (found < count) address = readAddress(bytes, at + 1);
    }
    return count;
  }

  #addPiece(list: number, isFirst: boolean): void {
    const size = PIECES[Math.min(PIECES.length - 1, this.#pieces[list] as number)] as number;
    this.#pieces[list] = Math.min(255, (this.#pieces[list] as number) + 1);
    const address = this.#arena.allocate(size + LINK_BYTES);
    if (isFirst) this.#first[list] = address + 1;
    else {
      const tail = this.#tail[list] as number;
      const bytes = this.#arena.chunkOf(tail);
      const at = offsetOf(tail);
      for (let byte = 0; byte < 4; byte++) bytes[at + 1 + byte] = address >>> (8 * byte);
    }
    this.#tail[list] = address;
    this.#room[list] = size;
  }

  #grow(size: number): void {
    this.#first = grown(this.#first, size);
    this.#tail = grown(this.#tail, size);
    this.#room = grown(this.#room, size);
    this.#last = grown(this.#last, size);
    this.#counts = grown(this.#counts, size);
    this.#pieces = grown(this.#pieces, size);
  }
}

function readAddress(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return a | (b << 8) | (c << 16) | (d << 24);
}
