import type { ArticleTokens } from "./article-tokens.ts";
import type { Token } from "./row-tokens.ts";
import { terms } from "./tokens.ts";

/** A body speaks of what it names that often; what stands there less often may be misspelt itself. */
const MIN_OCCURRENCES = 4;
/** So many words of a body, the most frequent, say what it is about. */
const MAX_BODY_WORDS = 40;

/** Gives the words that a misspelt word may stand for, folded, each once. */
export function vocabularyOf({ title, labels, description, body }: ArticleTokens): string[] {
  const words = [title, ...labels, description].flatMap(writtenIn);
  return [...new Set([...words.filter(canBeMisspelt), ...frequentWords(body)])];
}

/** The most frequent first, and of equally frequent ones the one that comes first. */
function frequentWords(tokens: readonly Token[]): string[] {
  const counts = new Map<string, number>();
  for (const word of writtenIn(tokens)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([word, count]) => count >= MIN_OCCURRENCES && canBeMisspelt(word))
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_BODY_WORDS)
    .map(([word]) => word);
}

/** The words of a text, and joined ones as one word too, without what only follows from them. */
function writtenIn(tokens: readonly Token[]): string[] {
  return tokens.filter(({ isExtra }) => !isExtra).map(({ token }) => token);
}

/** Between three characters and forty: longer words are no words, and dear to compare. */
const WORD = /^[\p{L}\p{M}\p{N}]{3,40}$/u;

/**
 * Whether a folded word is one that people get wrong by a letter or two: not too short, not mostly a
 * number, and of a script that has spaces between words. Only such words are corrected, and only into
 * such words.
 */
export function canBeMisspelt(word: string): boolean {
  if (!WORD.test(word)) return false;
  const digits = word.match(/\p{N}/gu)?.length ?? 0;
  const isMostlyNumber = digits * 2 > Array.from(word).length;
  return !isMostlyNumber && ![...terms(word)].some((term) => "run" in term);
}
