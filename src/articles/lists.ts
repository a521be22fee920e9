import type { Engine } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { toTsquery } from "../text/search-text.ts";
import * as tags from "../tags/tags.ts";
import { listPublished, type ListedRef, type ListFilter } from "./list-queries.ts";
import { daysAgo, narrow, orderOf } from "./listing.ts";
import { type OrderName, ORDERS } from "./orders.ts";
import { checkCursor, type CursorOrder, type Cut, cutPage, type Page } from "./pages.ts";
import type { ArticleList } from "./schema.ts";
import { type Found, search } from "./search-queries.ts";
import type { Ref } from "./summaries.ts";

/** What every list needs of its surroundings. */
export interface ListSource {
  db: Db;
  /** For what may take long. */
  slow: Db;
  engine: Engine;
  now: Date;
}

const EMPTY: Page<never> = { rows: [], nextCursor: undefined };

/** A page of published articles, narrowed and ordered as the query asks. */
export async function list(
  source: ListSource,
  query: ArticleList,
  cut: Cut,
  order = orderOf(query),
): Promise<Page<Ref>> {
  checkCursor(cut, orderOfList(order));
  const narrowing = await narrow(source.db, query, source.now);
  return narrowing === undefined ? EMPTY : cutList(source, { ...narrowing, order }, cut);
}

function orderOfList(name: OrderName): CursorOrder<ListedRef> {
  const { kinds, valuesOf } = ORDERS[name];
  return { name, kinds, valuesOf };
}

function cutList(
  { db, engine }: ListSource,
  filter: Omit<ListFilter, "limit" | "offset">,
  cut: Cut,
): Promise<Page<ListedRef>> {
  return cutPage<ListedRef>(cut, {
    db,
    fresh: engine.fresh,
    order: orderOfList(filter.order),
    load: (part) => listPublished(db, { ...filter, ...part }),
  });
}

export interface SearchQuery {
  q: string | undefined;
  tag: string | undefined;
  top: number | undefined;
}

/**
 * A page of what a search finds: by relevance, with `top` the most popular first, and without words
 * the list of published articles.
 */
export async function find(source: ListSource, query: SearchQuery, cut: Cut): Promise<Page<Ref>> {
  const { q, tag, top } = query;
  const order = q === undefined ? orderOfList(orderWithoutWords(query)) : orderOfSearch(query);
  checkCursor(cut, order);
  const tagId = tag === undefined ? undefined : await tagIdOf(source.db, tag);
  if (tagId === null) return EMPTY;
  const publishedAfter = top === undefined ? undefined : daysAgo(top, source.now);
  if (q === undefined)
    return cutList(source, { tagId, publishedAfter, order: orderWithoutWords(query) }, cut);
  const words = toTsquery(q);
  if (words === null) return EMPTY;
  const by = top === undefined ? "relevance" : "reactions";
  return cutPage<Found>(cut, {
    db: source.db,
    fresh: source.engine.fresh,
    order: orderOfSearch(query),
    load: (part) => search(source.slow, { words, tagId, publishedAfter, order: by, ...part }),
  });
}

function orderWithoutWords({ top }: SearchQuery): OrderName {
  return top === undefined ? "hotness" : "reactions";
}

function orderOfSearch({ top }: SearchQuery): CursorOrder<Found> {
  return top === undefined
    ? { name: "search", kinds: ["float", "date", "int"], valuesOf: (row) => [row.rank, ...tieOf(row)] }
    : {
        name: "search-top",
        kinds: ["int", "date", "int"],
        valuesOf: (row) => [row.reactions, ...tieOf(row)],
      };
}

function tieOf({ published_at, article_id }: Found): [string, number] {
  return [published_at.toISOString(), article_id];
}

/** The tag's id, or null when there is no such tag. */
async function tagIdOf(db: Db, name: string): Promise<number | null> {
  const ids = await tags.idsByName(db, [name]);
  return [...ids.values()][0] ?? null;
}
