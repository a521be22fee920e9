import { terms } from "./tokens.ts";

interface Named {
  title: string;
  tags: readonly string[];
  names: readonly string[];
}

/** Long enough to be told from others by its letters. Numbered versions are too near to one another. */
const KNOWN_WORD = /^(?=.*\p{L})[\p{L}\p{N}\p{M}]{3,40}(?:\+\+)?$/u;

/** Gives the words that a misspelt word may stand for, each once. */
export function vocabularyOf({ title, tags, names }: Named): string[] {
  const words = new Set<string>();
  for (const text of [title, ...tags, ...names]) {
    for (const term of terms(text)) {
      if ("run" in term) continue;
      for (const word of [...term.words.map(({ text }) => text), term.joined ?? ""]) {
        if (KNOWN_WORD.test(word)) words.add(word);
      }
    }
  }
  return [...words];
}
