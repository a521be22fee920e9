import { shuffle } from "../corpus/random.ts";
import type { Line, Site } from "./site.ts";

const PER_PAGE = 1_000;

/** One article with its body, any of them: about as many addresses as there are articles. */
export const oneArticle: Line = {
  name: "One article, from the database",
  requests: async (site) =>
    shuffle(site.random, await articleIds(site)).map((id) => ({ path: `/api/articles/${id}` })),
};

async function articleIds({ baseUrl, articles }: Site): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ids.length < articles; page += 1) {
    const answer = await fetch(`${baseUrl}/api/articles/latest?per_page=${PER_PAGE}&page=${page}`);
    const list = (await answer.json()) as { id: number }[];
    if (list.length === 0) throw new Error(`The site has ${ids.length} articles, not ${articles}.`);
    ids.push(...list.map(({ id }) => id));
  }
  return ids;
}
