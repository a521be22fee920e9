import { LIST_PAGE } from "./addresses.ts";
import type { Line } from "./line.ts";

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
