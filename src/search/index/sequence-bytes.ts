import { varintBytes } from "./arena.ts";

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

/** The smallest numbers of tokens take one byte. */
export const SMALL_NUMBERS = MORE - FIRST_TOKEN;

export const LONGEST_NUMBER = 5;

/** Writes a number, the highest groups first, and returns where the next one goes. */
export function writeNumber(bytes: Uint8Array, at: number, number: number): number {
  const last = at + varintBytes(number) - 1;
  for (let to = last, rest = number; to >= at; to--, rest >>>= 7)
    bytes[to] = to === last ? rest % MORE : MORE + (rest % MORE);
  return last + 1;
}

/** Where the number ends that begins here. */
export function lastOf(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] as number) >= MORE) at++;
  return at;
}

/** The number that ends here. */
export function numberAt(bytes: Uint8Array, end: number): number {
  let number = bytes[end] as number;
  for (let at = end - 1, factor = MORE; (bytes[at] as number) >= MORE; at--, factor *= MORE)
    number += ((bytes[at] as number) - MORE) * factor;
  return number;
}
