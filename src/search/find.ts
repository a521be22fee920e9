import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import {
  areValues,
  type CursorFormat,
  type CursorValues,
  cutPage,
  type Page,
  type Part,
} from "../http/pages.ts";
import { fold } from "../text/fold.ts";
import { filterTokensFor } from "./filter-tokens.ts";
import {
  mostPopular,
  type Narrowing,
  type PopularMatch,
  type PopularPart,
  type RankedMatch,
  type Ref,
  type SortKey,
  titled,
  type WordSearch,
} from "./matches.ts";
import { parseQuery, type WordQuery } from "./query.ts";
import { alsoRanked, rankedPage } from "./ranking.ts";
import { replacementsFor } from "./spelling.ts";
import type { SearchLanguage } from "../text/render-pool.ts";
import { terms, titleKey } from "./tokens.ts";

export interface Search {
  q: string;
  tagId: number | undefined;
  since: Date | undefined;
  order: keyof typeof CURSORS;
  language: SearchLanguage;
  now: Date;
}

/** The match that a page continues behind: a ranked one, or one in the order of popularity. */
type Last = Pick<RankedMatch, "rank" | "article_id"> | SortKey;

interface Start {
  isSimilar: boolean;
  last: Last;
}

export const CURSORS = {
  relevance: cursorFormat("search", (values) => rankedKey(values) ?? popularKey(values)),
  popularity: cursorFormat("search-top", popularKey),
};

function cursorFormat(name: string, lastOf: (values: CursorValues) => Last | undefined): CursorFormat<Start> {
  return {
    name,
    toValues: ({ isSimilar, last: { article_id, ...last } }) => {
      const key = "rank" in last ? [last.rank] : [last.reactions, new Date(last.published_at).toISOString()];
      return [isSimilar ? 1 : 0, ...key, article_id];
    },
    toKey([similar, ...values]) {
      const last = lastOf(values);
      return last && (similar === 0 || similar === 1) ? { isSimilar: similar === 1, last } : undefined;
    },
  };
}

function rankedKey(values: CursorValues): Last | undefined {
  if (!areValues(values, ["float", "int"])) return undefined;
  const [rank, article_id] = values as [number, number];
  return { rank, article_id };
}

function popularKey(values: CursorValues): SortKey | undefined {
  if (!areValues(values, ["int", "date", "int"])) return undefined;
  const [reactions, published_at, article_id] = values as [number, string, number];
  return { reactions, published_at, article_id };
}

export interface SearchPage extends Page<Ref> {
  /** Misspelt words were replaced. */
  isSimilar: boolean;
  /** The query with its misspelt words replaced. */
  corrected?: string | undefined;
}

export const NOTHING_FOUND: SearchPage = { rows: [], next: undefined, isSimilar: false };
const FIRST_MATCH: Part<Start> = { limit: 1, offset: 0, after: undefined };

export async function find(db: Db, search: Search, part: Part<Start>): Promise<SearchPage> {
  const { q, order, since, now } = search;
  const narrowing: Narrowing = {
    typed: q.toWellFormed().replaceAll("\0", ""),
    titleKey: titleKey(q),
    filterTokens: filterTokensFor(search, now),
    since,
    now,
  };
  const typed = parseQuery(q, search);
  if (typed === null) {
    // A query of symbols finds articles with exactly that title; one of exclusions finds nothing.
    const isOfSymbols = terms(q).next().done === true && narrowing.titleKey !== "";
    if (!isOfSymbols) return NOTHING_FOUND;
    return cutMatches(order, { part, isSimilar: false }, (each) => byTitle(db, narrowing, each));
  }
  const load = order === "relevance" ? byRank : byPopularity;
  for await (const { query, corrected } of readings(db, search, {
    typed,
    isSimilar: part.after?.isSimilar,
  })) {
    const isSimilar = query !== typed;
    const cut = (each: Part<Start>) =>
      cutMatches(order, { part: each, isSimilar }, (more) => load(db, { ...narrowing, query }, more));
    const page = await cut(part);
    if (page.rows.length > 0) return { ...page, corrected };
    const isBehindTheEnd = part.after !== undefined || part.offset > 0;
    const first = isBehindTheEnd && !page.next ? await cut(FIRST_MATCH) : page;
    if (first.next || first.rows.length > 0) return { ...page, isSimilar: false };
  }
  return NOTHING_FOUND;
}

/**
 * Yields the ways to read a query, to be tried until one finds something: as typed, then with misspelt words
 * replaced. A cursor says which of the two it continues.
 */
async function* readings(
  db: Db,
  { q, language }: Search,
  { typed, isSimilar }: { typed: WordQuery; isSimilar: boolean | undefined },
): AsyncGenerator<{ query: WordQuery; corrected?: string }> {
  if (isSimilar !== true) yield { query: typed };
  if (isSimilar === false) return;
  for await (const replacements of replacementsFor(db, typed.words)) {
    const query = parseQuery(q, { language, replacements });
    if (query) yield { query, corrected: replaceWords(q, replacements) };
  }
}

/** The query as a person would have typed it, with the likeliest replacement of each word. */
function replaceWords(q: string, replacements: ReadonlyMap<string, readonly string[]>): string {
  return q.replaceAll(/[\p{L}\p{N}\p{M}_]+/gu, (word) => replacements.get(fold(word))?.[0] ?? word);
}

interface Matches {
  matches: (RankedMatch | PopularMatch)[];
  /** The last checked row of a search that stopped early. */
  reached: SortKey | undefined;
}

async function cutMatches(
  order: Search["order"],
  { part, isSimilar }: { part: Part<Start>; isSimilar: boolean },
  load: (part: MatchPart) => Promise<Matches>,
): Promise<SearchPage> {
  const page = await cutPage(part, CURSORS[order], async ({ after, ...more }) => {
    const { matches, reached } = await load({ ...more, after: after?.last });
    const last = matches.length < more.limit ? reached : matches[more.limit - 2];
    return { rows: matches, last: last && { isSimilar, last } };
  });
  return { ...page, isSimilar };
}

type MatchPart = Part<Last>;

/** A search that has to check rows answers after this time. */
const PATIENCE_MS = 100;
/** The next page counts on this one to be full. */
const PATIENCE_BY_NUMBER_MS = 1_000;

const patienceOf = (offset: number) => (offset > 0 ? PATIENCE_BY_NUMBER_MS : PATIENCE_MS);

async function byPopularity(
  db: Db,
  words: WordSearch,
  { after, offset, limit }: MatchPart,
): Promise<Matches> {
  const part = { after: after as SortKey | undefined, skip: offset, limit, besides: null };
  return collect(db, words, part, patienceOf(offset));
}

/** The best first; behind the ranked matches, the most popular first. */
async function byRank(db: Db, words: WordSearch, { after, offset, limit }: MatchPart): Promise<Matches> {
  if (after && !("rank" in after)) {
    const besides = await alsoRanked(db, words);
    return collect(db, words, { after, skip: offset, limit, besides }, patienceOf(offset));
  }
  const begin = performance.now();
  const { ranked, others, rest } = await rankedPage(db, words, { limit, offset, after });
  const matches = [...ranked, ...others];
  if (!rest) return { matches, reached: undefined };
  const isLate = performance.now() - begin > patienceOf(offset);
  if (isLate && rest.skip === 0) return { matches, reached: rest };
  const more = await collect(
    db,
    words,
    { ...rest, after: rest, limit: limit - matches.length },
    patienceOf(offset),
  );
  return { matches: [...matches, ...more.matches], reached: more.reached };
}

async function byTitle(db: Db, narrowing: Narrowing, { after, offset, limit }: MatchPart): Promise<Matches> {
  const matches = await titled(db, narrowing);
  const from = after ? matches.findIndex(({ article_id }) => article_id === after.article_id) + 1 : offset;
  return { matches: matches.slice(from, from + limit), reached: undefined };
}

async function collect(db: Db, words: WordSearch, part: PopularPart, patienceMs: number): Promise<Matches> {
  const found: PopularMatch[] = [];
  const begin = performance.now();
  for (let { after, skip } = part; ;) {
    const limit = part.limit - found.length;
    const { matches, reached } = await mostPopular(db, words, { ...part, after, skip, limit });
    found.push(...matches);
    if (!reached || found.length >= part.limit) return { matches: found, reached: undefined };
    after = reached;
    skip -= reached.skipped;
    const elapsed = performance.now() - begin;
    if (skip === 0 && elapsed > patienceMs) return { matches: found, reached: after };
    if (elapsed > PATIENCE_BY_NUMBER_MS) {
      throw invalid("page is too far on for this query: follow the next link of the Link header instead");
    }
  }
}
