import { LIST_PAGE, pageSizes, pairsOf, withPageSizes } from "./addresses.ts";
import type { WordKind } from "./corpus.ts";
import type { Line, Site } from "./line.ts";

export const commonWord: Line = {
  name: "Fresh search, a common word (in 5 to 50 %)",
  targets: { ofJson: 0.2, alone: 4, cpu: 3.5 },
  isFresh: true,
  requests: (site) => searchesFor("common", site),
};

export const twoWords: Line = {
  name: "Fresh search, two common words",
  targets: { ofJson: 0.16, alone: 5 },
  isFresh: true,
  requests: ({ corpus }) => ({
    paths: pairsOf(corpus.random, corpus.words("common")).map((pair) => `${search(pair)}&per_page=60`),
  }),
};

export const onePercent: Line = {
  name: "Fresh search, a word in 1 %",
  isFresh: true,
  requests: (site) => searchesFor("onePercent", site),
};

export const rareWord: Line = {
  name: "Fresh search, a rare word (in 2 to 5 articles)",
  targets: { ofJson: 0.55, alone: 1.5 },
  jsonPage: LIST_PAGE,
  isFresh: true,
  requests: (site) => searchesFor("rare", site),
};

function searchesFor(kind: WordKind, { corpus }: Site): { paths: string[] } {
  return { paths: withPageSizes(corpus.random, corpus.words(kind).map(search), pageSizes(10)) };
}

function search(query: string): string {
  return `/api/articles/search?q=${encodeURIComponent(query)}`;
}
