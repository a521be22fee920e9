import { pageSizes, pairsOf, questionsOf, withPageSizes } from "./addresses.ts";
import type { WordKind } from "./corpus.ts";
import { firstPage } from "./fresh-lists.ts";
import type { Line, Site } from "./line.ts";

export const commonWord: Line = {
  name: "Fresh search, a common word (in 5 to 50 %)",
  targets: { ofFts5: 1.4, ...inListPages(1.3), alone: 1.2 },
  largeTargets: { ofFts5: 5, ...inListPages(2) },
  timesByDefault: 3,
  fts5: "AND",
  isFresh: true,
  requests: (site) => searchesFor("common", site),
};

export const twoWords: Line = {
  name: "Fresh search, two common words",
  targets: { ofFts5: 0.8, ...inListPages(1.8), alone: 1.6 },
  largeTargets: { ofFts5: 3, ...inListPages(2.5) },
  timesByDefault: 3,
  fts5: "AND",
  isFresh: true,
  requests: ({ corpus }) => ({
    paths: pairsOf(corpus.random, corpus.words("common")).map((pair) => `${search(pair)}&per_page=60`),
  }),
};

export const rareWord: Line = {
  name: "Fresh search, a rare word (in 2 to 5 of 10,000)",
  targets: { ofFts5: 0.3, ...inListPages(0.3), alone: 0.3 },
  largeTargets: { ofFts5: 0.06, ...inListPages(1.2) },
  timesByDefault: 3,
  fts5: "AND",
  isFresh: true,
  requests: (site) => searchesFor("rare", site),
};

export const question: Line = {
  name: "Fresh search, a question of seven words",
  targets: { ofFts5: 2, ...inListPages(2), alone: 2 },
  largeTargets: { ofFts5: 5, ...inListPages(3.5) },
  timesByDefault: 6,
  fts5: "OR",
  isFresh: true,
  requests: ({ corpus }) => ({
    paths: questionsOf(corpus).map((text) => `${search(text)}&per_page=60`),
  }),
};

export const beginning: Line = {
  name: "Fresh search, a beginning of four letters",
  ...unlikeFts5(),
  requests: (site) => searchesFor("beginning", site),
};

export const phrase: Line = {
  name: "Fresh search, a phrase of two common words",
  ...unlikeFts5(),
  requests: (site) => searchesFor("phrase", site),
};

export const misspelt: Line = {
  name: "Fresh search, a misspelt word",
  ...unlikeFts5(),
  requests: (site) => searchesFor("misspelt", site),
};

/** FTS5 does these otherwise or not at all. */
function unlikeFts5() {
  return {
    targets: { ...inListPages(2), alone: 2 },
    largeTargets: inListPages(3),
    timesByDefault: 3,
    isFresh: true,
  };
}

function inListPages(times: number) {
  return { noDearerThan: firstPage.name, times };
}

function searchesFor(kind: WordKind, { corpus }: Site): { paths: string[] } {
  return { paths: withPageSizes(corpus.random, corpus.words(kind).map(search), pageSizes(10)) };
}

function search(query: string): string {
  return `/api/articles/search?q=${encodeURIComponent(query)}`;
}
