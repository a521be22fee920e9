import { oneArticle } from "./lines/fresh-article.ts";
import { anyPage, firstPage, ofTag } from "./lines/fresh-lists.ts";
import { commonWord, onePercent, rareWord, twoWords } from "./lines/fresh-search.ts";
import { keptArticle, keptList, keptListNotModified, keptListPacked, keptSearch } from "./lines/kept.ts";
import type { Line } from "./lines/line.ts";
import { freshArticlePage, freshSearchPage, keptArticlePage, keptHome } from "./lines/pages.ts";

/** The kinds of requests, in the order of the table. */
export const LINES: readonly Line[] = [
  commonWord,
  twoWords,
  onePercent,
  rareWord,
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
