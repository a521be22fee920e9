import { hash } from "node:crypto";
import { grown } from "./arena.ts";

const BUCKETS = 2 ** 14;
const BYTES_PER_SLOT = 12;

/** The slots of articles by their titles. */
export class Titles {
  /** Links the slots of each bucket of titles: the last slot plus one, and for each slot the one before it. */
  readonly #last = new Int32Array(BUCKETS);
  #before = new Int32Array(256);
  #hashes = new Float64Array(256);

  get bytes(): number {
    return 4 * BUCKETS + BYTES_PER_SLOT * this.#before.length;
  }

  add(slot: number, titleKey: string): void {
    if (slot >= this.#before.length) {
      this.#before = grown(this.#before, slot + 1);
      this.#hashes = grown(this.#hashes, slot + 1);
    }
    const title = hashOf(titleKey);
    const bucket = title % BUCKETS;
    this.#hashes[slot] = title;
    this.#before[slot] = this.#last[bucket] as number;
    this.#last[bucket] = slot + 1;
  }

  /** The slots with a title, the last one first. */
  slotsOf(titleKey: string): number[] {
    const title = hashOf(titleKey);
    const found: number[] = [];
    let slot = (this.#last[title % BUCKETS] as number) - 1;
    for (; slot >= 0; slot = (this.#before[slot] as number) - 1)
      if (this.#hashes[slot] === title) found.push(slot);
    return found;
  }
}

/** 48 bits: two different titles of a community don't meet. */
function hashOf(titleKey: string): number {
  return hash("sha1", titleKey, "buffer").readUIntBE(0, 6);
}
