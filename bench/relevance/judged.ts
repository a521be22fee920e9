import type { Random } from "../corpus/random.ts";
import { shuffle } from "../corpus/random.ts";
import type { Article, Corpus } from "./corpus.ts";

/** A query and the articles of which one should come first. */
export interface Judged {
  q: string;
  targets: ReadonlySet<string>;
}

/** One way to look for articles. */
export interface Kind {
  name: string;
  /** How many queries are enough. */
  wanted: number;
  /** All that the corpus has, or more than enough, in random order. */
  derive(corpus: Corpus, random: Random): Iterable<Judged>;
}

export function judge(q: string, articles: readonly Pick<Article, "slug">[]): Judged {
  return { q, targets: new Set(articles.map(({ slug }) => slug)) };
}

/** Takes this many different queries. */
export function take(queries: Iterable<Judged>, wanted: number): Judged[] {
  const taken = new Map<string, Judged>();
  for (const judged of queries) {
    if (taken.size === wanted) break;
    taken.set(judged.q, judged);
  }
  return [...taken.values()];
}

/** A word of so few titles says which article is meant. */
const FEW_TITLES = 3;

/** Words of letters that stand in few titles, with the articles they name. */
export function* rareTitleWords(
  { byTitleWord }: Corpus,
  random: Random,
  shortest: number,
): Generator<{ word: string; articles: readonly Article[] }> {
  for (const [word, articles] of shuffle(random, [...byTitleWord]))
    if (articles.length <= FEW_TITLES && word.length >= shortest && /^[a-z]+$/.test(word))
      yield { word, articles };
}
