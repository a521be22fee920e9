import { shuffle } from "../corpus/random.ts";
import { LIST_PAGE } from "./addresses.ts";
import { firstPage } from "./fresh-lists.ts";
import type { Line, Site } from "./line.ts";

export const keptHome: Line = {
  name: "Kept home page",
  jsonPage: LIST_PAGE,
  targets: { ofBare: 0.75 },
  requests: () => ({ paths: ["/"] }),
};

export const keptArticlePage: Line = {
  name: "Kept article page",
  jsonPage: LIST_PAGE,
  targets: { ofBare: 0.75 },
  requests: async (site) => ({ paths: (await articlePaths(site, 1)).slice(0, 1) }),
};

export const freshArticlePage: Line = {
  name: "Fresh article page",
  jsonPage: LIST_PAGE,
  targets: { cpu: 5 },
  isFresh: true,
  requests: async (site) => ({
    paths: shuffle(site.corpus.random, await articlePaths(site, site.corpus.articles)),
  }),
};

export const freshSearchPage: Line = {
  name: "Fresh search page, a common word",
  jsonPage: LIST_PAGE,
  targets: { noDearerThan: firstPage.name, times: 12 },
  isFresh: true,
  requests: ({ corpus }) => ({
    paths: shuffle(
      corpus.random,
      corpus.words("common").flatMap((word) => TIMES.map((time) => `/search?q=${word}${time}`)),
    ),
  }),
};

/** Each makes another address of the same question. */
const TIMES = ["", "&kind=articles", "&time=year", "&kind=articles&time=year"];

const PER_PAGE = 1_000;

async function articlePaths({ baseUrl }: Site, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let page = 1; paths.length < count; page += 1) {
    const answer = await fetch(`${baseUrl}/api/articles/latest?per_page=${PER_PAGE}&page=${page}`);
    const list = (await answer.json()) as { path: string }[];
    if (list.length === 0) throw new Error(`The site has ${paths.length} articles, not ${count}.`);
    paths.push(...list.map(({ path }) => path));
  }
  return paths;
}
