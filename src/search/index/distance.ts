import { grown } from "./arena.ts";

/** 1 at the code of each vowel. */
const IS_VOWEL = Uint8Array.from({ length: 128 }, (_, code) =>
  Number("aeiouy".includes(String.fromCharCode(code))),
);

export const OTHER_VOWEL = 0.75;
const SWAPPED = 0.75;
const DOUBLED = 0.5;
/** A letter in the wrong place. */
export const MOVED = 1;
/** People rarely get the first letter wrong. */
const OTHER_BEGINNING = 0.5;

/** Rows of the table that `distanceOf` fills: it is called for thousands of words of a vocabulary. */
let beforeLast = new Float64Array(32);
let last = new Float64Array(32);
let now = new Float64Array(32);

/** The optimal string alignment of two words, in which likely slips cost less. Infinity above `most`. */
export function distanceOf(from: string, to: string, most: number): number {
  const columns = to.length + 1;
  if (columns > now.length)
    [beforeLast, last, now] = [grown(beforeLast, columns), grown(last, columns), grown(now, columns)];
  for (let column = 0; column < columns; column++) last[column] = column;
  let before = -1;
  for (let row = 1; row <= from.length; row++) {
    const letter = from.charCodeAt(row - 1);
    const deleted = letter === before ? DOUBLED : 1;
    let least = (now[0] = row);
    let otherBefore = -1;
    for (let column = 1; column < columns; column++) {
      const other = to.charCodeAt(column - 1);
      let cost = (last[column - 1] as number) + (letter === other ? 0 : replacing(letter, other));
      const deleting = (last[column] as number) + deleted;
      if (deleting < cost) cost = deleting;
      const inserting = (now[column - 1] as number) + (other === otherBefore ? DOUBLED : 1);
      if (inserting < cost) cost = inserting;
      if (letter === otherBefore && other === before && letter !== other) {
        const swapping = (beforeLast[column - 2] as number) + SWAPPED;
        if (swapping < cost) cost = swapping;
      }
      now[column] = cost;
      if (cost < least) least = cost;
      otherBefore = other;
    }
    if (least > most) return Infinity;
    before = letter;
    [beforeLast, last, now] = [last, now, beforeLast];
  }
  return (last[to.length] as number) + (from[0] === to[0] ? 0 : OTHER_BEGINNING);
}

function replacing(letter: number, other: number): number {
  return IS_VOWEL[letter] === 1 && IS_VOWEL[other] === 1 ? OTHER_VOWEL : 1;
}
