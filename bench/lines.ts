import {
  anyPage,
  beginning,
  commonWord,
  firstPage,
  misspelt,
  ofTag,
  phrase,
  question,
  rareWord,
  twoWords,
} from "./lines/fresh-search.ts";
import {
  freshArticlePage,
  freshSearchPage,
  keptArticle,
  keptArticlePage,
  keptHome,
  keptList,
  keptListNotModified,
  keptListPacked,
  keptSearch,
  oneArticle,
} from "./lines/pages.ts";
import type { Line } from "./lines/line.ts";

/** The numbers of articles for which there are limits. */
export const SMALL = 10_000;
export const LARGE = 100_000;

/** The kinds of requests, in the order of the table. */
const LINES: readonly Line[] = [
  commonWord,
  twoWords,
  rareWord,
  question,
  beginning,
  phrase,
  misspelt,
  firstPage,
  anyPage,
  ofTag,
  oneArticle,
  keptList,
  keptListNotModified,
  keptListPacked,
  keptArticle,
  keptSearch,
  keptHome,
  keptArticlePage,
  freshArticlePage,
  freshSearchPage,
];

/** All lines, with their limits at a size. */
export function linesAt(articles: number): Line[] {
  return LINES.map(({ targets, largeTargets, ...line }) => {
    const limits = articles === LARGE ? largeTargets : targets;
    return { ...line, ...(limits && { targets: limits }) };
  });
}

/** The same line where not all articles are in memory, if that is of interest. */
export function withDefaultMemory({ name, timesByDefault: times, requests }: Line): Line[] {
  if (times === undefined) return [];
  const targets = { noDearerThan: name, times };
  return [{ name: `${name}, default memory`, targets, isFresh: true, requests }];
}
