import { type Random, shuffle } from "../corpus/random.ts";
import type { Corpus, WordKind } from "./corpus.ts";
import type { Line, Site, Targets } from "./line.ts";

const TARGETS: Targets = { ofJson: 0.6, alone: 1.5 };

/** All articles are younger than this, so any larger `top` asks for the same ones at another address. */
const OLDER_THAN_ALL_DAYS = 2_000;

export const firstPage: Line = {
  name: "Fresh list, first page",
  targets: TARGETS,
  isFresh: true,
  requests: () => ({
    paths: Array.from({ length: MOST_ADDRESSES }, (_, number) => {
      return `/api/articles?per_page=60&top=${OLDER_THAN_ALL_DAYS + number}`;
    }),
  }),
};

const MOST_PAGES = 100;

/** This many tags have 60 articles or more in a corpus of 10,000. */
const TAGS = 67;

export const commonWord: Line = {
  name: "Fresh search, a common word (in 5 to 50 %)",
  targets: { ofFts5: 1.4, ...inListPages(1.3), alone: 1.2 },
  largeTargets: { ofFts5: 5, ...inListPages(2) },
  timesByDefault: 3,
  fts5: "AND",
  isFresh: true,
  requests: (site) => searchesFor("common", site),
};

/** Searches and lists whose answers are made anew. */
export const FRESH: readonly Line[] = [
  commonWord,
  {
    name: "Fresh search, two common words",
    targets: { ofFts5: 0.8, ...inListPages(1.8), alone: 1.6 },
    largeTargets: { ofFts5: 3, ...inListPages(2.5) },
    timesByDefault: 3,
    fts5: "AND",
    isFresh: true,
    requests: ({ corpus }) => ({
      paths: pairsOf(corpus.random, corpus.words("common")).map((pair) => `${search(pair)}&per_page=60`),
    }),
  },
  {
    name: "Fresh search, a rare word (in 2 to 5 of 10,000)",
    targets: { ofFts5: 0.3, ...inListPages(0.3), alone: 0.3 },
    largeTargets: { ofFts5: 0.06, ...inListPages(1.2) },
    timesByDefault: 3,
    fts5: "AND",
    isFresh: true,
    requests: (site) => searchesFor("rare", site),
  },
  {
    name: "Fresh search, a question of seven words",
    targets: { ofFts5: 2, ...inListPages(2), alone: 2 },
    largeTargets: { ofFts5: 5, ...inListPages(3.5) },
    timesByDefault: 6,
    fts5: "OR",
    isFresh: true,
    requests: ({ corpus }) => ({
      paths: questionsOf(corpus).map((text) => `${search(text)}&per_page=60`),
    }),
  },
  {
    name: "Fresh search, a beginning of four letters",
    ...unlikeFts5(),
    requests: (site) => searchesFor("beginning", site),
  },
  {
    name: "Fresh search, a phrase of two common words",
    ...unlikeFts5(),
    requests: (site) => searchesFor("phrase", site),
  },
  {
    name: "Fresh search, a misspelt word",
    ...unlikeFts5(),
    requests: (site) => searchesFor("misspelt", site),
  },
  firstPage,
  {
    name: "Fresh list, any page",
    targets: TARGETS,
    isFresh: true,
    requests: ({ corpus: { articles, random } }) => ({
      paths: shuffle(
        random,
        pageSizes(30).flatMap((size) =>
          Array.from({ length: Math.min(MOST_PAGES, Math.floor(articles / size)) }, (_, page) => {
            return `/api/articles?page=${page + 1}&per_page=${size}`;
          }),
        ),
      ),
    }),
  },
  {
    name: "Fresh list of a tag",
    targets: TARGETS,
    isFresh: true,
    requests({ corpus: { tags, random } }) {
      const questions = tags.slice(0, TAGS).map((tag) => `/api/articles?tag=${tag}`);
      return { paths: withPageSizes(random, questions, pageSizes(30)) };
    },
  },
];

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

/** The address that a front page asks for all day. */
export const LIST_PAGE = "/api/articles?per_page=60";

/** No line needs more: at 10,000 requests a second these last for two. */
const MOST_ADDRESSES = 20_000;

/** Page sizes whose mean is 60: each makes another address of the same question. */
function pageSizes(spread: number): number[] {
  return Array.from({ length: 2 * spread + 1 }, (_, number) => 60 - spread + number);
}

/** Each question with each page size: all questions come before one comes again with another size. */
function withPageSizes(random: Random, questions: readonly string[], sizes: readonly number[]): string[] {
  const shuffled = shuffle(random, questions);
  const paths = shuffle(random, sizes).flatMap((size) =>
    shuffled.map((question) => `${question}&per_page=${size}`),
  );
  return paths.slice(0, MOST_ADDRESSES);
}

/** Questions of four stop words and three others, no two alike. */
function questionsOf({ random, words }: Corpus): string[] {
  const [common, onePercent] = [words("common"), words("onePercent")];
  const questions = new Set<string>();
  while (questions.size < MOST_ADDRESSES) {
    const [one, other] = [random.pick(common), random.pick(common)];
    questions.add(`how to ${one} the ${other} in ${random.pick(onePercent)}`);
  }
  return [...questions];
}

/** Pairs of different words, no two alike. */
function pairsOf(random: Random, words: readonly string[]): string[] {
  const pairs = new Set<string>();
  const most = Math.min(MOST_ADDRESSES, (words.length * (words.length - 1)) / 2);
  while (pairs.size < most) {
    const [one, other] = [random.pick(words), random.pick(words)];
    if (one < other) pairs.add(`${one} ${other}`);
  }
  return [...pairs];
}
