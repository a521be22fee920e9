import { readFile } from "node:fs/promises";
import { type Random, shuffle } from "../corpus/random.ts";
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

interface Line {
  q?: unknown;
  /** Any of these slugs is right. */
  any?: unknown;
  expect_first_slug?: unknown;
  kind?: unknown;
}

/**
 * Reads judged queries by their kind: `[{ "q": "…", "any": ["slug"], "kind": "question" }]`, or with
 * `"expect_first_slug"` and no kind.
 */
export async function readJudged(file: string, { articles }: Corpus): Promise<Map<string, Judged[]>> {
  const slugs = new Set(articles.map(({ slug }) => slug));
  const kinds = new Map<string, Judged[]>();
  for (const line of JSON.parse(await readFile(file, "utf8")) as Line[]) {
    const { q, any = [line.expect_first_slug], kind = "" } = line;
    if (typeof q !== "string" || !Array.isArray(any) || !any.every((slug) => typeof slug === "string"))
      throw new Error(`Each query of ${file} must have the texts q and expect_first_slug, or q and any.`);
    if (!any.some((slug) => slugs.has(slug)))
      throw new Error(
        `${file} expects the article ${any.join(" or ")}, which the corpus doesn't have: correct its slug.`,
      );
    const name = typeof kind === "string" && kind !== "" ? `Judged: ${kind}` : "Judged by hand";
    kinds.set(name, [...(kinds.get(name) ?? []), { q, targets: new Set(any) }]);
  }
  return kinds;
}
