import { shuffle } from "../corpus/random.ts";
import { LIST_PAGE } from "./addresses.ts";
import type { Line, Site } from "./line.ts";

/** One article with its text, any of them. */
export const oneArticle: Line = {
  name: "Fresh single article",
  targets: { ofJson: 1.1, alone: 0.8 },
  jsonPage: LIST_PAGE,
  isFresh: true,
  requests: async (site) => ({
    paths: shuffle(site.corpus.random, await articleIds(site)).map((id) => `/api/articles/${id}`),
  }),
};

const PER_PAGE = 1_000;

async function articleIds({ baseUrl, corpus: { articles } }: Site): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ids.length < articles; page += 1) {
    const answer = await fetch(`${baseUrl}/api/articles/latest?per_page=${PER_PAGE}&page=${page}`);
    const list = (await answer.json()) as { id: number }[];
    if (list.length === 0) throw new Error(`The site has ${ids.length} articles, not ${articles}.`);
    ids.push(...list.map(({ id }) => id));
  }
  return ids;
}
