import type { Db } from "../db/connect.ts";
import { toWellFormed } from "../text/fold.ts";
import { parseQuery, type WordQuery } from "../text/search-query.ts";
import { titleKey } from "../text/search-text.ts";
import type { SearchLanguage } from "../text/stems.ts";
import { terms } from "../text/tokens.ts";
import { type Last, readCursor, type SearchOrder, writeCursor } from "./cursor.ts";
import { marksFor } from "./marks.ts";
import { type Condition, type Narrowing, unknown } from "./matches.ts";
import { byPopularity, byRank, byTitle, type Entries, type Part as EntriesPart } from "./entries.ts";
import { correct } from "./spelling.ts";

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
  /** The numbers of the articles. */
  ids: number[];
  /** Undefined on the last page. */
  nextCursor: string | undefined;
  /** Whether nothing matched as typed and misspelt words were read as others. */
  isSimilar: boolean;
}

const EMPTY: SearchPage = { ids: [], nextCursor: undefined, isSimilar: false };

/**
 * Gives a page of the published articles that match.
 * @throws AppError invalid for a cursor of another list
 */
export async function find(db: Db, search: Search, { cursor, ...cut }: SearchCut): Promise<SearchPage> {
  const start = cursor === undefined ? undefined : readCursor(search.order, cursor);
  const typed = parseQuery(search.q, search);
  if (typed === null) return findSigns(db, search, { last: start?.last, ...cut });
  const asTyped = conditionOf(search, typed);
  if (!start?.isSimilar) {
    const page = await cutPage(db, search, { condition: asTyped, last: start?.last, ...cut });
    if (page.ids.length > 0 || page.nextCursor !== undefined || start) return page;
  }
  const corrected = await correctQuery(db, search, typed);
  if (!corrected) return EMPTY;
  const condition = conditionOf(search, corrected);
  const page = await cutPage(db, search, { condition, last: start?.last, ...cut, isSimilar: true });
  return { ...page, isSimilar: page.ids.length > 0 };
}

/** Finds what is titled with the very signs that were typed; nothing where words are only excluded. */
async function findSigns(db: Db, search: Search, part: Omit<Part, "condition">): Promise<SearchPage> {
  const narrowing = narrowingOf(search);
  const hasWords = terms(search.q).next().done !== true;
  if (hasWords || narrowing.titleKey === "") return EMPTY;
  return cutEntries(search.order, part, (entries) => byTitle(db, narrowing, entries));
}

function conditionOf(search: Search, query: WordQuery): Condition {
  return { query, ...narrowingOf(search) };
}

function narrowingOf({ q, tagId, since, now }: Search): Narrowing {
  return {
    typed: toWellFormed(q).replaceAll("\0", ""),
    titleKey: titleKey(q),
    marks: marksFor({ tagId, since }, now),
    since,
  };
}

/** The query with other words for those that occur nowhere; undefined when there is nothing to correct. */
async function correctQuery(
  db: Db,
  { q, language }: Search,
  { words }: WordQuery,
): Promise<WordQuery | undefined> {
  const nowhere = await unknown(
    db,
    words.map(({ matches }) => matches),
  );
  const misspelt = words.filter(({ matches }) => nowhere.has(matches)).map(({ word }) => word);
  const replacements = await correct(db, misspelt);
  if (replacements.size === 0) return undefined;
  return parseQuery(q, { language, replacements }) ?? undefined;
}

interface Part {
  condition: Condition;
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
    ids: entries.slice(0, limit).map(({ article_id }) => article_id),
    nextCursor: next && writeCursor(order, { isSimilar, last: next }),
    isSimilar,
  };
}
