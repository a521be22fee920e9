import type { Random } from "./random.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz".split("");

/** Makes one mistake in a word: a letter left out, doubled, taken for another, or two of them swapped. */
export function misspell(random: Random, word: string): string {
  const at = random.between(1, word.length - 2);
  const [before, letter = "", next = ""] = [word.slice(0, at), word[at], word[at + 1]];
  const after = word.slice(at + 1);
  const kind = random.between(0, 3);
  if (kind === 0) return before + after;
  if (kind === 1) return before + letter + letter + after;
  if (kind === 2) return before + next + letter + after.slice(1);
  return before + random.pick(LETTERS) + after;
}
