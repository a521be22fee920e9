import type { Engine } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { toTsquery } from "../text/search-text.ts";
import * as tags from "../tags/tags.ts";
import { listPublished, type ListedRef, type ListFilter } from "./list-queries.ts";
import { daysAgo, narrow, orderOf } from "./listing.ts";
import { type OrderName, ORDERS } from "./orders.ts";
import { type Cut, cutPage, type Page } from "./pages.ts";
import type { ArticleList } from "./schema.ts";
import { type Found, search } from "./search-queries.ts";
import type { Ref } from "./summaries.ts";

/** What every list needs of its surroundings. */
export interface ListSource {
  db: Db;
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
  const narrowing = await narrow(source.db, query, source.now);
  return narrowing === undefined ? EMPTY : cutList(source, { ...narrowing, order }, cut);
}

function cutList(
  { db, engine }: ListSource,
  filter: Omit<ListFilter, "limit" | "offset">,
  cut: Cut,
): Promise<Page<ListedRef>> {
  const { kinds, valuesOf } = ORDERS[filter.order];
  return cutPage<ListedRef>(cut, {
    db,
    fresh: engine.fresh,
    order: { name: filter.order, kinds, valuesOf },
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
export async function find(source: ListSource, { q, tag, top }: SearchQuery, cut: Cut): Promise<Page<Ref>> {
  const { db, engine, now } = source;
  const tagId = tag === undefined ? undefined : await tagIdOf(db, tag);
  if (tagId === null) return EMPTY;
  const publishedAfter = top === undefined ? undefined : daysAgo(top, now);
  if (q === undefined) {
    const order: OrderName = top === undefined ? "hotness" : "reactions";
    return cutList(source, { tagId, publishedAfter, order }, cut);
  }
  const words = toTsquery(q);
  if (words === null) return EMPTY;
  const order = top === undefined ? "relevance" : "reactions";
  return cutPage<Found>(cut, {
    db,
    fresh: engine.fresh,
    order: {
      name: `search-${order}`,
      kinds: [order === "relevance" ? "float" : "int", "date", "int"],
      valuesOf: (row) => [
        order === "relevance" ? row.rank : row.reactions,
        row.published_at.toISOString(),
        row.article_id,
      ],
    },
    load: (part) => search(db, { words, tagId, publishedAfter, order, ...part }),
  });
}

/** The tag's id, or null when there is no such tag. */
async function tagIdOf(db: Db, name: string): Promise<number | null> {
  const ids = await tags.idsByName(db, [name]);
  return [...ids.values()][0] ?? null;
}
