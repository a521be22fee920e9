import type { ResponseCache } from "../cache.ts";
import type { Db } from "../db/connect.ts";
import {
  areValues,
  type CursorFormat,
  type CursorValues,
  type Cut,
  encodeCursor,
  type Part,
  toPart,
} from "../http/pages.ts";
import { fold } from "../text/fold.ts";
import type { SearchLanguage } from "../text/render-pool.ts";
import { countMatches, literallyTitled, searchBoth, titled } from "./candidates.ts";
import { filterTokensFor } from "./filter-tokens.ts";
import { Marker } from "./marking.ts";
import type { SearchMemory } from "../search-index/memory.ts";
import type { Narrowing } from "../search-index/segment.ts";
import { parseQuery, type WordQuery } from "../search-index/query.ts";
import { rank } from "./ranking.ts";
import {
  type PopularRow,
  popularRowOf,
  inMemory,
  placeOfKey,
  popularityOf,
  type PopularityKey,
  type PopularPart,
  type Ref,
  refOf,
  type Results,
  type ScoredKey,
  sliceByPopularity,
  toPopularRow,
} from "./results.ts";
import {
  corrected,
  type Doubt,
  DOUBT,
  doubted,
  MORE_DOUBT,
  type Vocabulary,
} from "../search-index/spelling.ts";
import type { Condition, Meant } from "../search-index/terms.ts";
import { terms, titleKey } from "../search-index/tokens.ts";

export type { Ref } from "./results.ts";

export interface Search {
  q: string;
  tagId: number | undefined;
  since: Date | undefined;
  order: keyof typeof CURSORS;
  language: SearchLanguage;
  now: Date;
}

/** Where search reads. */
export interface SearchSource {
  db: Db;
  memory: SearchMemory;
  cache: ResponseCache;
}

/** The key of the last article of a page. */
type Key = ScoredKey | PopularityKey;

const isScored = (values: CursorValues) => areValues(values, ["float", "int"]);
const isPopularity = (values: CursorValues) => areValues(values, ["int", "date", "int"]);

export const CURSORS = {
  /** Ranked articles, and behind them others. */
  relevance: cursorFormat("search", (values) => isScored(values) || isPopularity(values)),
  popularity: cursorFormat("search-top", isPopularity),
};

function cursorFormat(name: string, accepts: (values: CursorValues) => boolean): CursorFormat<Key> {
  return {
    name,
    toValues: (key) => key,
    toKey: (values) => (accepts(values) ? (values as unknown as Key) : undefined),
  };
}

export interface SearchPage extends Part<Ref> {
  /** Exact if an article has all words as typed, similar if one has them with misspelt words corrected, else partial. */
  match: "exact" | "similar" | "partial";
  /** The query with its misspelt words replaced. */
  corrected?: string | undefined;
  /** The words that no article has. */
  absent?: string[] | undefined;
  /** The number of hits, where all of them are ranked by relevance. */
  total?: number | undefined;
  /** Marks the words as they were read; undefined without words. */
  createMarker?: (() => Marker) | undefined;
}

export const NOTHING_FOUND: SearchPage = { rows: [], next: undefined, match: "exact" };

export async function find(source: SearchSource, search: Search, cut: Cut<Key>): Promise<SearchPage> {
  const { q, order, since, now } = search;
  const narrowing: Narrowing = {
    titleKey: titleKey(q),
    titled: undefined,
    filterTokens: filterTokensFor(search, now),
    since,
    now,
  };
  const typed = parseQuery(q, search);
  if (typed === null) return findTitle(source.db, search, cut, narrowing);
  if (typed.exclusions.length > 0) narrowing.titled = await literallyTitled(source.db, narrowing.titleKey, q);
  const { results, ...reading } = await read(await engineOf(source, narrowing), search, typed);
  const page = order === "relevance" ? byRelevance(results, cut) : byPopularity(results, cut);
  return { ...(await page), ...reading };
}

/** A query of symbols finds articles with exactly that title; one of exclusions finds nothing. */
async function findTitle(
  db: Db,
  { q, order }: Search,
  cut: Cut<Key>,
  narrowing: Narrowing,
): Promise<SearchPage> {
  const isOfSymbols = terms(q).next().done === true && narrowing.titleKey !== "";
  const found = isOfSymbols ? await titled(db, narrowing) : [];
  const rows = sliceByPopularity(found.map(toPopularRow), popularPart(cut));
  return { ...partBy(order, cut.limit, rows, (at) => popularityOf(rows[at] as PopularRow)), match: "exact" };
}

/** Asks for one row more than the page has. */
function popularPart({ after, offset, limit }: Cut<Key>): PopularPart {
  return { after: after?.length === 3 ? placeOfKey(after) : undefined, skip: offset, limit: limit + 1 };
}

async function byRelevance(
  { ranked: { hits }, isWhole, others }: Results,
  cut: Cut<Key>,
): Promise<Part<Ref> & Pick<SearchPage, "total">> {
  const { after } = cut;
  const limit = cut.limit + 1;
  const isBehindRanked = after?.length === 3;
  const first = cut.offset + (after?.length === 2 ? hits.countTo(after) : 0);
  const page = isBehindRanked ? [] : hits.slice(first, first + limit);
  const skip = isBehindRanked ? cut.offset : Math.max(0, first - hits.length);
  const more =
    page.length === limit ? [] : await others({ ...popularPart(cut), skip, limit: limit - page.length });
  const keyAt = (at: number): Key => {
    const hit = page[at];
    return hit ? [hit.score, hit.article_id] : popularityOf(more[at - page.length] as PopularRow);
  };
  const total = isWhole ? hits.length : undefined;
  return { ...partBy("relevance", cut.limit, [...page.map(refOf), ...more], keyAt), total };
}

/** All words must match, if some article has them all. */
async function byPopularity({ ranked, popular }: Results, cut: Cut<Key>): Promise<Part<Ref>> {
  const rows = ranked.haveAll
    ? await popular(popularPart(cut))
    : sliceByPopularity(ranked.hits.slice().map(popularRowOf), popularPart(cut));
  return partBy("popularity", cut.limit, rows, (at) => popularityOf(rows[at] as PopularRow));
}

function partBy(order: Search["order"], limit: number, rows: Ref[], keyAt: (at: number) => Key): Part<Ref> {
  return toPart(rows, limit, () => ({ cursor: encodeCursor(CURSORS[order], keyAt(limit - 1)) }));
}

interface Engine {
  vocabulary: Vocabulary;
  count(conditions: Condition[]): Promise<number[]>;
  rank(query: WordQuery): Promise<Results>;
}

async function engineOf({ db, memory, cache }: SearchSource, narrowing: Narrowing): Promise<Engine> {
  const { vocabulary, held, end } = await memory.current(db, cache);
  if (held !== undefined && held.last === undefined) {
    const { segment } = held;
    return {
      vocabulary,
      count: async (conditions) => segment.countRoughly(conditions),
      rank: async (query) => inMemory(rank([segment], query, narrowing)),
    };
  }
  const source = { db, held, end };
  return {
    vocabulary,
    count: (conditions) => countMatches(source, conditions),
    rank: (query) => searchBoth(source, query, narrowing),
  };
}

/** Reads misspelt words as those that may be meant. */
async function read(engine: Engine, { q, language }: Search, typed: WordQuery) {
  const counts = await engine.count(typed.words.map(({ occurs }) => occurs));
  const words = new Map(typed.words.map(({ word }, at) => [word, counts[at] as number]));
  const { vocabulary } = engine;
  const unknown = [...words].filter(([, count]) => count === 0).map(([word]) => word);
  const instead = corrected(unknown, vocabulary);
  const known = new Map([...words].filter(([, count]) => count > 0));
  const count = (others: string[]) =>
    engine.count(others.map((token) => [[[{ token, factor: 1, isWord: true }]]]));
  const meantWith = async (doubt: Doubt) =>
    new Map([...instead, ...(await doubted(known, vocabulary, { doubt, count }))]);
  const rank = async (meant: Map<string, Meant>) => {
    const query = meant.size === 0 ? typed : (parseQuery(q, { language, meant }) ?? typed);
    return { results: await engine.rank(query), meant, query };
  };
  const first = await rank(await meantWith(DOUBT));
  let best = first;
  if (!first.results.ranked.haveAll && typed.clauses.length > 1) {
    const meant = await meantWith(MORE_DOUBT);
    if (meant.size > instead.size) best = await rank(meant);
  }
  const createMarker = () => new Marker(best.query, language, (token) => vocabulary.articlesOf(token));
  return { results: best.results, createMarker, ...(await describe(engine, typed, { q, ...best })) };
}

interface Reading {
  q: string;
  results: Results;
  meant: ReadonlyMap<string, Meant>;
}

async function describe(
  engine: Engine,
  typed: WordQuery,
  { q, results, meant }: Reading,
): Promise<Pick<SearchPage, "match" | "corrected" | "absent">> {
  const { hits, haveAll, isAbsent, isTitle } = results.ranked;
  if (hits.length === 0 || isTitle) return { match: "exact" };
  if (!haveAll || isAbsent.some(Boolean)) {
    return {
      match: "partial",
      absent: typed.clauses.filter((_, at) => isAbsent[at]).map(({ text }) => text),
    };
  }
  if (meant.size === 0) return { match: "exact" };
  const isInstead = [...meant.values()].some((each) => each.isInstead);
  // What may be meant beside a word as typed need not have been.
  if (!isInstead && (await engine.rank(typed)).ranked.haveAll) return { match: "exact" };
  return { match: "similar", corrected: replaceWords(q, meant) };
}

/** The query as a person would have typed it, with the likeliest meaning of each word. */
function replaceWords(q: string, meant: ReadonlyMap<string, Meant>): string {
  return q.replaceAll(/[\p{L}\p{N}\p{M}_]+/gu, (word) => meant.get(fold(word))?.words[0] ?? word);
}
