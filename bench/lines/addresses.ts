import { type Random, shuffle } from "../corpus/random.ts";
import type { Corpus } from "./corpus.ts";

/** The address that a front page asks for all day. */
export const LIST_PAGE = "/api/articles?per_page=60";

/** No line needs more: at 10,000 requests a second these last for two. */
export const MOST_ADDRESSES = 20_000;

/** Page sizes whose mean is 60: each makes another address of the same question. */
export function pageSizes(spread: number): number[] {
  return Array.from({ length: 2 * spread + 1 }, (_, number) => 60 - spread + number);
}

/** Each question with each page size: all questions come before one comes again with another size. */
export function withPageSizes(
  random: Random,
  questions: readonly string[],
  sizes: readonly number[],
): string[] {
  const shuffled = shuffle(random, questions);
  const paths = shuffle(random, sizes).flatMap((size) =>
    shuffled.map((question) => `${question}&per_page=${size}`),
  );
  return paths.slice(0, MOST_ADDRESSES);
}

/** Questions of four stop words and three others, no two alike. */
export function questionsOf({ random, words }: Corpus): string[] {
  const [common, onePercent] = [words("common"), words("onePercent")];
  const questions = new Set<string>();
  while (questions.size < MOST_ADDRESSES) {
    const [one, other] = [random.pick(common), random.pick(common)];
    questions.add(`how to ${one} the ${other} in ${random.pick(onePercent)}`);
  }
  return [...questions];
}

/** Pairs of different words, no two alike. */
export function pairsOf(random: Random, words: readonly string[]): string[] {
  const pairs = new Set<string>();
  const most = Math.min(MOST_ADDRESSES, (words.length * (words.length - 1)) / 2);
  while (pairs.size < most) {
    const [one, other] = [random.pick(words), random.pick(words)];
    if (one < other) pairs.add(`${one} ${other}`);
  }
  return [...pairs];
}
