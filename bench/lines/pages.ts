import { shuffle } from "../corpus/random.ts";
import { newestArticles } from "../measure/http.ts";
import { LIST_PAGE, firstPage } from "./fresh-search.ts";
import { signInByLink } from "../measure/member.ts";
import type { Line, Site } from "./line.ts";

/** Each makes another address of the same question. */
const TIMES = ["", "&kind=articles", "&time=year", "&kind=articles&time=year"];

export const keptList: Line = {
  name: "Kept list",
  targets: { ofBare: 0.85 },
  requests: () => ({ paths: [LIST_PAGE] }),
};

const articlePages = async ({ baseUrl, corpus: { articles, random } }: Site) => ({
  paths: shuffle(
    random,
    (await newestArticles(baseUrl, articles)).map(({ path }) => path),
  ),
});

const articlePage: Line = {
  name: "Fresh article page",
  jsonPage: LIST_PAGE,
  targets: { cpu: 5 },
  isFresh: true,
  requests: articlePages,
};

/** Single articles, kept answers, and pages of the site. */
export const PAGES: readonly Line[] = [
  // One article with its text, any of them.
  {
    name: "Fresh single article",
    targets: { ofJson: 1.1, alone: 0.8 },
    jsonPage: LIST_PAGE,
    isFresh: true,
    requests: async ({ baseUrl, corpus: { articles, random } }) => ({
      paths: shuffle(
        random,
        (await newestArticles(baseUrl, articles)).map(({ id }) => `/api/articles/${id}`),
      ),
    }),
  },
  keptList,
  {
    name: "Kept list, not modified (304)",
    targets: { ofBare: 1.9 },
    comparesPlain: true,
    async requests({ baseUrl }) {
      const { headers } = await fetch(`${baseUrl}${LIST_PAGE}`);
      return { paths: [LIST_PAGE], headers: { "if-none-match": headers.get("etag") ?? "" } };
    },
  },
  {
    name: "Kept list, gzip",
    targets: { noDearerThan: keptList.name },
    comparesPlain: true,
    requests: () => ({ paths: [LIST_PAGE], headers: { "accept-encoding": "gzip" } }),
  },
  {
    name: "Kept single article",
    targets: { ofBare: 0.75 },
    async requests({ baseUrl }) {
      const answer = await fetch(`${baseUrl}/api/articles?per_page=1`);
      const [first] = (await answer.json()) as { id: number }[];
      if (!first) throw new Error("The site has no articles.");
      return { paths: [`/api/articles/${first.id}`] };
    },
  },
  {
    name: "Kept search",
    requests: ({ corpus }) => ({
      paths: [`/api/articles/search?q=${corpus.words("common")[0] ?? ""}&per_page=60`],
    }),
  },
  {
    name: "Kept home page",
    jsonPage: LIST_PAGE,
    targets: { ofBare: 0.75 },
    requests: () => ({ paths: ["/"] }),
  },
  {
    name: "Kept article page",
    jsonPage: LIST_PAGE,
    targets: { ofBare: 0.75 },
    requests: async ({ baseUrl }) => ({
      paths: (await newestArticles(baseUrl, 1)).map(({ path }) => path).slice(0, 1),
    }),
  },
  articlePage,
  {
    name: "Article page of a member",
    jsonPage: LIST_PAGE,
    targets: { noDearerThan: articlePage.name, times: 1.3 },
    comparesPlain: true,
    needsCommands: true,
    async requests(site) {
      const { cookie } = await signInByLink(site.baseUrl, site.dataDir ?? "");
      return { ...(await articlePages(site)), headers: { cookie } };
    },
  },
  {
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
  },
];
