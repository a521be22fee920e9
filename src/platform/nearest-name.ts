/** A longer name is not a slip of the keyboard. Bounds the work on names that clients make up. */
const MAX_NAME = 64;
const MAX_EDITS = 2;

/** The known name at most two letters away, and at most half of them. Case, `_` and `-` don't count. */
export function nearestName(unknown: string, known: Iterable<string>): string | undefined {
  if (unknown.length > MAX_NAME) return undefined;
  const letters = lettersOf(unknown);
  let nearest: string | undefined;
  let least = Infinity;
  for (const name of known) {
    const limit = Math.min(MAX_EDITS, Math.floor(Math.max(unknown.length, name.length) / 2));
    const distance = editDistance(letters, lettersOf(name), limit);
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

const lettersOf = (name: string): string[] => Array.from(name.toLowerCase().replaceAll(/[-_]/g, ""));

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). Infinity above `limit`. */
export function editDistance(from: readonly string[], to: readonly string[], limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return Infinity;
  let beforeLast: number[] = [];
  // The distances of the letters so far of `from` to the first 0, 1, 2 … letters of `to`.
  let last = Array.from({ length: to.length + 1 }, (_, count) => count);
  for (const [row, letter] of from.entries()) {
    const now = [row + 1];
    for (const [column, other] of to.entries()) {
      let cost = Math.min(
        (last[column] as number) + (letter === other ? 0 : 1),
        (last[column + 1] as number) + 1,
        (now[column] as number) + 1,
      );
      const isSwapped = row > 0 && column > 0 && letter === to[column - 1] && other === from[row - 1];
      if (isSwapped) cost = Math.min(cost, (beforeLast[column - 1] as number) + 1);
      now.push(cost);
    }
    [beforeLast, last] = [last, now];
  }
  const distance = last[to.length] as number;
  return distance > limit ? Infinity : distance;
}
