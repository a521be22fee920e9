import { hash } from "node:crypto";
import { grown } from "./arena.ts";

const NONE = -1;

/** The slots of articles by their titles. */
export class Titles {
  /** By the hash of a title, the last slot with it, and for each slot the one before. */
  readonly #last = new Map<number, number>();
  #before = new Int32Array(256);

  add(slot: number, titleKey: string): void {
    const title = hashOf(titleKey);
    if (slot >= this.#before.length) this.#before = grown(this.#before, slot + 1);
    this.#before[slot] = this.#last.get(title) ?? NONE;
    this.#last.set(title, slot);
  }

  /** The last one first. */
  slotsOf(titleKey: string): number[] {
    const found: number[] = [];
    let slot = this.#last.get(hashOf(titleKey)) ?? NONE;
    for (; slot !== NONE; slot = this.#before[slot] as number) found.push(slot);
    return found;
  }
}

/** 48 bits: two different titles of a community don't meet. */
function hashOf(titleKey: string): number {
  return hash("sha1", titleKey, "buffer").readUIntBE(0, 6);
}
