import { shuffle } from "../corpus/random.ts";
import { LIST_PAGE, firstPage } from "./fresh-search.ts";
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

/** One article with its text, any of them. */
export const oneArticle: Line = {
  name: "Fresh single article",
  targets: { ofJson: 1.1, alone: 0.8 },
  jsonPage: LIST_PAGE,
  isFresh: true,
  requests: async (site) => ({
    paths: shuffle(
      site.corpus.random,
      (await articlesOf(site, site.corpus.articles)).map(({ id }) => `/api/articles/${id}`),
    ),
  }),
};

const PER_PAGE = 1_000;

async function articlePaths(site: Site, count: number): Promise<string[]> {
  return (await articlesOf(site, count)).map(({ path }) => path);
}

/** At least so many of the newest. */
async function articlesOf({ baseUrl }: Site, count: number): Promise<{ id: number; path: string }[]> {
  const articles: { id: number; path: string }[] = [];
  for (let page = 1; articles.length < count; page += 1) {
    const answer = await fetch(`${baseUrl}/api/articles/latest?per_page=${PER_PAGE}&page=${page}`);
    const list = (await answer.json()) as typeof articles;
    if (list.length === 0) throw new Error(`The site has ${articles.length} articles, not ${count}.`);
    articles.push(...list);
  }
  return articles;
}

export const keptList: Line = {
  name: "Kept list",
  targets: { ofBare: 0.85 },
  requests: () => ({ paths: [LIST_PAGE] }),
};

export const keptListNotModified: Line = {
  name: "Kept list, not modified (304)",
  targets: { ofBare: 1.9 },
  comparesPlain: true,
  async requests({ baseUrl }) {
    const { headers } = await fetch(`${baseUrl}${LIST_PAGE}`);
    return { paths: [LIST_PAGE], headers: { "if-none-match": headers.get("etag") ?? "" } };
  },
};

export const keptListPacked: Line = {
  name: "Kept list, gzip",
  targets: { noDearerThan: keptList.name },
  comparesPlain: true,
  requests: () => ({ paths: [LIST_PAGE], headers: { "accept-encoding": "gzip" } }),
};

export const keptArticle: Line = {
  name: "Kept single article",
  targets: { ofBare: 0.75 },
  async requests({ baseUrl }) {
    const answer = await fetch(`${baseUrl}/api/articles?per_page=1`);
    const [first] = (await answer.json()) as { id: number }[];
    if (!first) throw new Error("The site has no articles.");
    return { paths: [`/api/articles/${first.id}`] };
  },
};

export const keptSearch: Line = {
  name: "Kept search",
  requests: ({ corpus }) => ({
    paths: [`/api/articles/search?q=${corpus.words("common")[0] ?? ""}&per_page=60`],
  }),
};
