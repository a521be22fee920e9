import { type Arena, grown, MAX_PIECE, offsetOf, writeVarint } from "./arena.ts";
import { POSITION } from "./row-vector.ts";

/** Numbers below the first token: the next token stands where the last one does, or positions are left out. */
const SAME_PLACE = 0;
const SKIP = 1;
const FIRST_TOKEN = 2;
/** Of a sequence, before its entries. */
const COUNT_BYTES = 3;
/** A token, with positions left out before it. */
const MAX_ENTRY_BYTES = 9;

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
  /** What was read last. */
  positions = new Int32Array(1_024);
  masks = new Int32Array(1_024);
  readonly #bytes = new Uint8Array(MAX_PIECE);

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
    let at = COUNT_BYTES;
    let count = 0;
    let before = 0;
    this.visit((position, number) => {
      // Only a text made for it is longer; its end is in no phrase.
      if (at > MAX_PIECE - MAX_ENTRY_BYTES) return;
      count++;
      if (position === before) bytes[at++] = SAME_PLACE;
      else if (position > before + 1) {
        bytes[at++] = SKIP;
        at = writeVarint(bytes, at, position - before);
      }
      before = position;
      at = writeVarint(bytes, at, number + FIRST_TOKEN);
    });
    for (let byte = 0; byte < COUNT_BYTES; byte++) bytes[byte] = count >>> (8 * byte);
    const address = this.#arena.allocate(at);
    this.#arena.chunkOf(address).set(bytes.subarray(0, at), offsetOf(address));
    this.#addresses[slot] = address;
  }

  /**
   * Finds the positions of an article, up to one of them, that have a token with a mask: fills `positions` and `masks`,
   * of all tokens of a position together, and returns their number.
   */
  read(slot: number, wanted: Int32Array, end = POSITION): number {
    const address = this.#addresses[slot] as number;
    const bytes = this.#arena.chunkOf(address);
    let at = offsetOf(address);
    let left = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    at += COUNT_BYTES;
    if (left > this.positions.length) {
      this.positions = grown(this.positions, left);
      this.masks = grown(this.masks, left);
    }
    const { positions, masks } = this;
    let found = 0;
    let position = 0;
    let step = 1;
    while (left > 0) {
      let value = bytes[at++] as number;
      if (value > 127) {
        value &= 127;
        for (let shift = 7; ; shift += 7) {
          const next = bytes[at++] as number;
          value |= (next & 127) << shift;
          if (next < 128) break;
        }
      } else if (value < FIRST_TOKEN) {
        step = 0;
        if (value === SKIP) {
          for (let shift = 0; ; shift += 7) {
            const next = bytes[at++] as number;
            step |= (next & 127) << shift;
            if (next < 128) break;
          }
        }
        continue;
      }
      position += step;
      if (position > end) break;
      step = 1;
      left--;
      const mask = wanted[value - FIRST_TOKEN] as number;
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
}
