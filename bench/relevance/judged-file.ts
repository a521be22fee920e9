import { readFile } from "node:fs/promises";
import type { Corpus } from "./corpus.ts";
import type { Judged } from "./judged.ts";

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
