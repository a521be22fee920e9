import type { Services } from "../context.ts";
import type { Db } from "../db/connect.ts";
import * as search from "../search/find.ts";
import * as settings from "../settings/settings.ts";
import * as tags from "../tags/tags.ts";
import type { ListFilter } from "./list-filter.ts";
import { listPublished } from "./list-queries.ts";
import { daysAgo, narrow, orderOf } from "./listing.ts";
import { type Listed, type OrderName, ORDERS } from "./orders.ts";
import { checkCursor, type CursorOrder, type Cut, cutPage, isPastEnd, type Page } from "./pages.ts";
import type { ArticleList } from "./schema.ts";
import type { Ref } from "./summaries.ts";

/** What every list needs of its surroundings. */
export interface ListSource {
  db: Db;
  /** For what may take long. */
  slow: Db;
  services: Services;
  now: Date;
}

const EMPTY: Page<never> = { rows: [], nextCursor: undefined };
const NOTHING_FOUND: FoundPage = { ...EMPTY, isSimilar: false };

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

function orderOfList(name: OrderName): CursorOrder<Listed> {
  const { kinds, valuesOf } = ORDERS[name];
  return { name, kinds, valuesOf };
}

function cutList(
  { db, services, now }: ListSource,
  filter: Omit<ListFilter, "limit" | "offset" | "now">,
  cut: Cut,
): Promise<Page<Ref>> {
  return cutPage(cut, {
    db,
    fresh: services.fresh,
    order: orderOfList(filter.order),
    load: (part) => listPublished(db, { ...filter, now, ...part }),
  });
}

/** What readers have voted down so far is no longer shown. */
const WORST_VIDEO_SCORE = -4;

/** A page of the articles with a video, the hottest first. */
export function listVideos(source: ListSource, cut: Cut): Promise<Page<Ref>> {
  return cutList(source, { hasVideo: true, scoreAbove: WORST_VIDEO_SCORE, order: "hotness" }, cut);
}

/** A page of the published articles, or those of an author, an organization or a tag, the newest first. */
export function listNewest(
  source: ListSource,
  of: Partial<Pick<ListFilter, "authorId" | "organizationId" | "tag">>,
  cut: Cut,
): Promise<Page<Ref>> {
  return cutList(source, { ...of, order: "newest" }, cut);
}

export interface SearchQuery {
  q: string | undefined;
  tag: string | undefined;
  top: number | undefined;
}

export interface FoundPage extends Page<Ref> {
  /** Whether nothing matched as typed and misspelt words were read as others. */
  isSimilar: boolean;
}

/**
 * A page of what a search finds: by relevance, with `top` the most popular first, and without words
 * the list of published articles.
 */
export async function find(source: ListSource, query: SearchQuery, cut: Cut): Promise<FoundPage> {
  const { q, tag, top } = query;
  if (q === undefined) checkCursor(cut, orderOfList(orderWithoutWords(query)));
  else search.checkCursor(cut, orderOfSearch(query));
  const spelling = tag === undefined ? undefined : tags.spelling(tag);
  if (spelling !== undefined && !tags.isStorable(spelling)) return NOTHING_FOUND;
  const since = top === undefined ? undefined : daysAgo(top, source.now);
  if (q === undefined) {
    const filter = { tag: spelling, publishedAfter: since, order: orderWithoutWords(query) };
    return { ...(await cutList(source, filter, cut)), isSimilar: false };
  }
  const tagId =
    spelling === undefined ? undefined : (await tags.known(source.db, [spelling])).get(spelling)?.id;
  if (spelling !== undefined && tagId === undefined) return NOTHING_FOUND;
  return findWords(source, { q, tagId, since, order: orderOfSearch(query) }, cut);
}

type Words = Omit<search.Search, "language" | "now">;

async function findWords(
  { db, slow, services, now }: ListSource,
  words: Words,
  cut: Cut,
): Promise<FoundPage> {
  if (cut.cursor === undefined && (await isPastEnd({ db, fresh: services.fresh }, cut.offset))) {
    return NOTHING_FOUND;
  }
  const { search_language: language } = await settings.remembered(services.fresh, db);
  return search.find(slow, { ...words, language, now }, cut);
}

function orderWithoutWords({ top }: SearchQuery): OrderName {
  return top === undefined ? "hotness" : "reactions";
}

function orderOfSearch({ top }: SearchQuery): search.SearchOrder {
  return top === undefined ? "relevance" : "popularity";
}
