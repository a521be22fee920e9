import { readFile } from "node:fs/promises";
import type { Corpus } from "./corpus.ts";
import type { Judged } from "./judged.ts";

/** Reads judged queries: `[{ "q": "…", "expect_first_slug": "…" }]`. */
export async function readJudged(file: string, { articles }: Corpus): Promise<Judged[]> {
  const slugs = new Set(articles.map(({ slug }) => slug));
  const list = JSON.parse(await readFile(file, "utf8")) as { q?: unknown; expect_first_slug?: unknown }[];
  return list.map(({ q, expect_first_slug: slug }) => {
    if (typeof q !== "string" || typeof slug !== "string")
      throw new Error(`Each query of ${file} must have the texts q and expect_first_slug.`);
    if (!slugs.has(slug))
      throw new Error(
        `${file} expects the article ${slug}, which the corpus doesn't have: correct its slug.`,
      );
    return { q, targets: new Set([slug]) };
  });
}
