import type { ResponseCache } from "../platform/cache.ts";
import type { Db } from "../platform/db/connect.ts";
import {
  areValues,
  type CursorFormat,
  type CursorValues,
  type Cut,
  encodeCursor,
  type Part,
  toPart,
} from "../http/pages.ts";
import { LANGUAGES, type SearchLanguage } from "../platform/text/search-languages.ts";
import { anyWith, candidates, FEW } from "./candidates.ts";
import { tagToken, weekTokens } from "./rows.ts";
import {
  type Hit,
  inOrder,
  placeOf,
  placeOfHit,
  placeOfKey,
  type PlaceKey,
  type PlaceOrder,
  type Ref,
  refOf,
  type ScoredKey,
} from "./hits.ts";
import type { Marker } from "./marking.ts";
import type { Current, SearchMemory } from "./index/memory.ts";
import type { Narrowing, Segment } from "./index/segment.ts";
import { parseQuery, type WordQuery } from "./index/query.ts";
import { describe, type Engine, type Match, read, withoutOptions } from "./reading.ts";
import { rank, type Ranked } from "./ranking.ts";
import { terms, titleKey } from "./index/tokens.ts";

export type { Ref } from "./hits.ts";

export interface Search {
  q: string;
  tagId: number | undefined;
  since: Date | undefined;
  order: "relevance" | PlaceOrder;
  language: SearchLanguage;
  now: Date;
}

export interface SearchSource {
  db: Db;
  memory: SearchMemory;
  cache: ResponseCache;
}

type Key = ScoredKey | PlaceKey;

const isPlace = (values: CursorValues) => areValues(values, ["int", "date", "int"]);

export const CURSORS = {
  relevance: cursorFormat("search", (values) => areValues(values, ["float", "int"])),
  newest: cursorFormat("search-newest", isPlace),
  popularity: cursorFormat("search-top", isPlace),
};

function cursorFormat(name: string, accepts: (values: CursorValues) => boolean): CursorFormat<Key> {
  return {
    name,
    toValues: (key) => key,
    toKey: (values) => (accepts(values) ? (values as unknown as Key) : undefined),
  };
}

export interface SearchPage extends Part<Ref>, Match {
  /** The number of hits: of those with all words, where these come first. */
  total?: number | undefined;
  /** How many articles of this page have all words, the first ones; undefined where the score alone decides. */
  withAll?: number | undefined;
  /** Marks the words as they were read; undefined without words. */
  createMarker?: (() => Marker) | undefined;
}

export const NOTHING_FOUND: SearchPage = { rows: [], next: undefined };

/** A query of symbols finds articles with exactly that title. */
const SYMBOLS: WordQuery = { clauses: [], inPlace: [], exclusions: [], words: [] };

export async function find(source: SearchSource, given: Search, cut: Cut<Key>): Promise<SearchPage> {
  const { db, cache } = source;
  const { since, now } = given;
  const narrowing: Narrowing = {
    titleKey: titleKey(given.q),
    filterTokens: filterTokensFor(given),
    since,
    now,
  };
  const memory = await source.memory.current(db, cache);
  const { segment, isWhole, isLoaded } = memory;
  const engine = engineOf(db, memory, narrowing);
  const languages = isLoaded ? [...segment.index.languages] : LANGUAGES;
  const search = { ...given, languages, q: await withoutOptions(engine, { ...given, languages }) };
  const isOfSymbols = narrowing.titleKey !== "" && terms(search.q).next().done === true;
  const typed = parseQuery(search.q, search) ?? (isOfSymbols ? SYMBOLS : undefined);
  if (typed === undefined) return NOTHING_FOUND;
  // A title has no exclusions.
  if (typed.exclusions.length > 0) narrowing.titleKey = "";
  const { query, ranked, first, instead, createMarker } = await read(engine, search, typed);
  const pageFrom = async (best: Ranked, described: Ranked) => {
    // Only a whole memory counts all hits.
    const { order } = search;
    const part = order === "relevance" ? pageByRelevance(best, cut) : pageByPlace(order, best, cut);
    const page = { ...part, ...(!isWhole && { total: undefined }) };
    if (page.rows.length === 0) return page;
    const match = await describe(engine, typed, { q: search.q, ranked: described, instead });
    return { ...page, ...match, createMarker };
  };
  if (isWhole) return pageFrom(ranked, first.ranked);
  // The order is a rule about the query, so that pages lose and repeat nothing.
  const enough = ranked.allFirst ? ranked.hits.withAll : ranked.hits.length;
  // PostgreSQL may have the only article with all words, or with a word that memory lacks.
  const isSure = first.ranked.hits.withAll > 0 && !first.ranked.isAbsent.some(Boolean);
  const areBehind = isLoaded && isSure && enough >= FEW && search.order === "relevance";
  if (areBehind && pageByRelevance(ranked, cut).next !== undefined) return pageFrom(ranked, first.ranked);
  const { order } = search;
  const others = await candidates(db, { segment, query, narrowing, ranked }, { order, areBehind });
  const withOthers = (each: WordQuery) =>
    withoutRows(segment, others, () => rank([segment, others], each, narrowing, areBehind));
  const all = withOthers(query);
  return pageFrom(all, query === first.query ? all : withOthers(first.query));
}

function engineOf(db: Db, { segment, vocabulary, isWhole }: Current, narrowing: Narrowing): Engine {
  return {
    db,
    vocabulary,
    count: async (conditions) => {
      const counts = segment.countRoughly(conditions);
      if (isWhole) return counts;
      const unknown = conditions.filter((_, at) => counts[at] === 0);
      const known = await anyWith(db, unknown);
      return counts.map((count) => count || Number(known.shift() ?? false));
    },
    rank: (query) => rank([segment], query, narrowing),
  };
}

/** Longer ranges are cheaper by date: most matches are in them. */
const MOST_DAYS = 31;

/** A superset of the articles has one token of each list. */
function filterTokensFor({ tagId, since, now }: Search): string[][] {
  const lists = tagId === undefined ? [] : [[tagToken(tagId)]];
  if (since && now.getTime() - since.getTime() <= MOST_DAYS * 86_400_000) lists.push(weekTokens(since, now));
  return lists;
}

/** Articles of which others have more are left out meanwhile. */
function withoutRows<Result>({ index }: Segment, others: Segment, work: () => Result): Result {
  const ids = Array.from(others.index.ids.subarray(0, others.index.slots));
  const slots = ids.map((id) => index.slotOf(id)).filter((slot) => slot !== undefined);
  for (const slot of slots) index.isAlive[slot] = 0;
  try {
    return work();
  } finally {
    for (const slot of slots) index.isAlive[slot] = 1;
  }
}

function pageByRelevance({ hits, allFirst }: Ranked, { after, offset, limit }: Cut<Key>): SearchPage {
  const first = offset + (after ? hits.countTo(after as ScoredKey) : 0);
  const page = hits.slice(first, first + limit + 1);
  const part = partBy("relevance", limit, page.map(refOf), (at) => {
    const { score, article_id } = page[at] as Hit;
    return [score, article_id];
  });
  const total = allFirst && hits.withAll > 0 ? hits.withAll : hits.length;
  const withAll = part.rows.filter((_, at) => page[at]?.hasAll === true).length;
  return { ...part, total, withAll: allFirst ? withAll : undefined };
}

function pageByPlace(order: PlaceOrder, ranked: Ranked, { after, offset, limit }: Cut<Key>): SearchPage {
  const page = inOrder(order, ranked.hits, after && placeOfKey(after as PlaceKey)).slice(
    offset,
    offset + limit + 1,
  );
  return partBy(order, limit, page.map(refOf), (at) => placeOf(placeOfHit(page[at] as Hit)));
}

function partBy(order: Search["order"], limit: number, rows: Ref[], keyAt: (at: number) => Key): Part<Ref> {
  return toPart(rows, limit, () => ({ cursor: encodeCursor(CURSORS[order], keyAt(limit - 1)) }));
}
