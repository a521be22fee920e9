import { hash } from "node:crypto";
import { grown } from "./arena.ts";

const BUCKETS = 2 ** 16;
const NONE = -1;

/** The slots of articles by their titles. */
export class Titles {
  /** By the bucket of a title, the last slot, and for each slot the one before. */
  readonly #last = new Int32Array(BUCKETS).fill(NONE);
  #before = new Int32Array(256);
  #hashes = new Float64Array(256);

  add(slot: number, titleKey: string): void {
    if (slot >= this.#before.length) {
      this.#before = grown(this.#before, slot + 1);
      this.#hashes = grown(this.#hashes, slot + 1);
    }
    const title = hashOf(titleKey);
    const bucket = title % BUCKETS;
    this.#hashes[slot] = title;
    this.#before[slot] = this.#last[bucket] as number;
    this.#last[bucket] = slot;
  }

  /** The last one first. */
  slotsOf(titleKey: string): number[] {
    const title = hashOf(titleKey);
    const found: number[] = [];
    let slot = this.#last[title % BUCKETS] as number;
    for (; slot !== NONE; slot = this.#before[slot] as number)
      if (this.#hashes[slot] === title) found.push(slot);
    return found;
  }
}

/** 48 bits: two different titles of a community don't meet. */
function hashOf(titleKey: string): number {
  return hash("sha1", titleKey, "buffer").readUIntBE(0, 6);
}
