import type { Db } from "../db/connect.ts";
import { toWellFormed } from "../text/fold.ts";
import { type Last, readCursor, type SearchOrder, writeCursor } from "./cursor.ts";
import { filterTokensFor } from "./filter-tokens.ts";
import type { Narrowing, Ref, WordSearch } from "./matches.ts";
import { parseQuery, type WordQuery } from "./query.ts";
import { replacementsFor } from "./spelling.ts";
import { type SearchLanguage, terms, titleKey } from "./tokens.ts";
import { byPopularity, byRank, byTitle, type Entries, type Part as EntriesPart } from "./entries.ts";

/** What a person searches for. */
export interface Search {
  q: string;
  tagId: number | undefined;
  /** Keeps what was published later than that. */
  since: Date | undefined;
  order: SearchOrder;
  language: SearchLanguage;
  now: Date;
}

export type { SearchOrder };

/**
 * For searches that may turn out empty before they are made.
 * @throws AppError invalid for a cursor of another list
 */
export function checkCursor({ cursor }: Pick<SearchCut, "cursor">, order: SearchOrder): void {
  if (cursor !== undefined) readCursor(order, cursor);
}

/** Which part of the matches: behind a cursor, or so many from the start. */
export interface SearchCut {
  limit: number;
  offset: number;
  cursor: string | undefined;
}

export interface SearchPage {
  rows: Ref[];
  /** Undefined on the last page. */
  nextCursor: string | undefined;
  /** Whether nothing matched as typed and misspelt words were read as others. */
  isSimilar: boolean;
}

const EMPTY: SearchPage = { rows: [], nextCursor: undefined, isSimilar: false };

/**
 * Gives a page of the published articles that match.
 * @throws AppError invalid for a cursor of another list
 */
export async function find(db: Db, search: Search, { cursor, ...cut }: SearchCut): Promise<SearchPage> {
  const start = cursor === undefined ? undefined : readCursor(search.order, cursor);
  const typed = parseQuery(search.q, search);
  if (typed === null) return findSigns(db, search, { last: start?.last, ...cut });
  for await (const query of readings(db, search, { typed, isSimilar: start?.isSimilar })) {
    const part = { condition: conditionOf(search, query), isSimilar: query !== typed };
    const page = await cutPage(db, search, { ...part, last: start?.last, ...cut });
    if (page.rows.length > 0) return page;
    const isBehindTheEnd = start !== undefined || cut.offset > 0;
    if (page.nextCursor !== undefined || (isBehindTheEnd && (await hasMatches(db, search, part)))) {
      return { ...page, isSimilar: false };
    }
  }
  return EMPTY;
}

/**
 * Yields the ways to read a query, to be tried until one finds something: as typed, then with misspelt words
 * replaced. A cursor says which of the two it continues.
 */
async function* readings(
  db: Db,
  { q, language }: Search,
  { typed, isSimilar }: { typed: WordQuery; isSimilar: boolean | undefined },
): AsyncGenerator<WordQuery> {
  if (isSimilar !== true) yield typed;
  if (isSimilar === false) return;
  for await (const replacements of replacementsFor(db, typed.words)) {
    const corrected = parseQuery(q, { language, replacements });
    if (corrected) yield corrected;
  }
}

async function hasMatches(
  db: Db,
  search: Search,
  part: Pick<Part, "condition" | "isSimilar">,
): Promise<boolean> {
  const first = await cutPage(db, search, { ...part, last: undefined, limit: 1, offset: 0 });
  return first.rows.length > 0 || first.nextCursor !== undefined;
}

/** Finds what is titled with the very signs that were typed; nothing where words are only excluded. */
async function findSigns(db: Db, search: Search, part: Omit<Part, "condition">): Promise<SearchPage> {
  const narrowing = narrowingOf(search);
  const hasWords = terms(search.q).next().done !== true;
  if (hasWords || narrowing.titleKey === "") return EMPTY;
  return cutEntries(search.order, part, (entries) => byTitle(db, narrowing, entries));
}

function conditionOf(search: Search, query: WordQuery): WordSearch {
  return { query, ...narrowingOf(search) };
}

function narrowingOf({ q, tagId, since, now }: Search): Narrowing {
  return {
    typed: toWellFormed(q).replaceAll("\0", ""),
    titleKey: titleKey(q),
    filterTokens: filterTokensFor({ tagId, since }, now),
    since,
    now,
  };
}

interface Part {
  condition: WordSearch;
  last: Last | undefined;
  limit: number;
  offset: number;
  isSimilar?: boolean;
}

function cutPage(db: Db, { order }: Search, { condition, ...part }: Part): Promise<SearchPage> {
  const load = order === "relevance" ? byRank : byPopularity;
  return cutEntries(order, part, (entries) => load(db, condition, entries));
}

async function cutEntries(
  order: SearchOrder,
  { last, limit, offset, isSimilar = false }: Omit<Part, "condition">,
  load: (part: EntriesPart) => Promise<Entries>,
): Promise<SearchPage> {
  // One more than asked for tells whether there is a next page.
  const { entries, reached } = await load({ last, limit: limit + 1, skip: last ? 0 : offset });
  const next = entries.length > limit ? entries[limit - 1] : reached;
  return {
    rows: entries.slice(0, limit),
    nextCursor: next && writeCursor(order, { isSimilar, last: next }),
    isSimilar,
  };
}
