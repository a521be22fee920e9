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

/** All words that one mistake makes of this one: a letter left out, added, taken for another, or two of them swapped. */
export function oneMistakeFrom(word: string): string[] {
  const made = Array.from({ length: word.length + 1 }, (_, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    const [letter = "", next = ""] = after;
    return [
      before + after.slice(1),
      before + next + letter + after.slice(2),
      ...LETTERS.flatMap((other) => [before + other + after, before + other + after.slice(1)]),
    ];
  });
  return [...new Set(made.flat())].filter((other) => other !== word);
}
