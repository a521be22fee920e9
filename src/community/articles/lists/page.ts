import { sql } from "kysely";
import type { Context, Services } from "../../../context.ts";
import type { Databases, Db } from "../../../platform/db/connect.ts";
import type { Slice } from "../../../platform/db/values.ts";
import { type Cut, decoded, MAX_OFFSET, type Part, tooDeep } from "../../../http/pages.ts";
import * as search from "../../../search/find.ts";
import type { Ref } from "../../../search/find.ts";
import * as settings from "../../../platform/settings/settings.ts";
import * as tags from "../../tags/tags.ts";
import { publishedCount } from "../counting.ts";
import { type OrderName, ORDERS, type SortKey } from "./orders.ts";
import { listPublished } from "./query.ts";
import { type Conditions, daysAgo, type ListFilter } from "./shape.ts";
import * as organizations from "../../organizations/organizations.ts";
import * as users from "../../users/users.ts";
import type { ArticleList } from "../schema.ts";

/** The databases and memory that lists and searches read. */
export interface ListSource extends search.SearchSource {
  slow: Db;
  /** Values that answers share are read from these. */
  databases: Databases;
  now: Date;
}

type Program = Pick<Context & Services, "db" | "now" | "cache" | "searchMemory">;

export function sourceOf({ db, now, cache, searchMemory: memory }: Program): ListSource {
  return { db: db.replica, slow: db.slow, databases: db, cache, memory, now: now() };
}

const EMPTY: Part<never> = { rows: [], next: undefined };

export async function list(
  source: ListSource,
  query: Filters,
  cut: Cut,
  order = orderOf(query),
): Promise<Part<Ref>> {
  const keyed = decoded(cut, ORDERS[order]);
  const conditions = await narrow(source.db, query, source.now);
  return conditions === undefined ? EMPTY : listWhere(source, { ...conditions, order }, keyed);
}

type Where = Omit<ListFilter, "now">;

async function listWhere(source: ListSource, where: Where, cut: Cut<SortKey>): Promise<Part<Ref>> {
  if (await isPastEnd(source, cut)) return EMPTY;
  const { db, now } = source;
  return listPublished(db, { ...where, now, ...cut });
}

async function isPastEnd({ databases, cache }: ListSource, { offset }: Cut<unknown>): Promise<boolean> {
  if (offset === 0) return false;
  // Others share it, so a server that is lost on the way must not fail them.
  const load = () => publishedCount(databases.shared);
  if (offset >= (await cache.memoize("published-count", load))) return true;
  if (offset <= MAX_OFFSET) return false;
  // A page behind a cursor costs the same at any depth.
  throw tooDeep("follow the next link of the Link header instead");
}

export async function listOf(
  source: ListSource,
  of: Omit<Where, "order">,
  cut: Cut,
  order: OrderName = "newest",
): Promise<Part<Ref>> {
  return listWhere(source, { ...of, order }, decoded(cut, ORDERS[order]));
}

/** Readers have voted such videos down. */
const WORST_VIDEO_SCORE = -4;

export async function listVideos(source: ListSource, cut: Cut): Promise<Part<Ref>> {
  return listOf(source, { hasVideo: true, scoreAbove: WORST_VIDEO_SCORE }, cut, "hotness");
}

export interface SearchQuery {
  q?: string | undefined;
  tag?: string | undefined;
  top?: number | undefined;
  /** Days, without a change of the order. */
  within?: number | undefined;
  /** Default: relevance, or popularity with `top`. */
  order?: search.Search["order"] | undefined;
}

/** Finds articles by relevance, or with `top` by popularity; without words, lists published articles. */
export async function find(source: ListSource, query: SearchQuery, cut: Cut): Promise<search.SearchPage> {
  const { q, tag, top, within } = query;
  if (q === undefined) return list(source, { tag, top }, cut);
  const days = top ?? within;
  const since = days === undefined ? undefined : daysAgo(days, source.now);
  const { order = top === undefined ? "relevance" : "popularity" } = query;
  const keyed = decoded(cut, search.CURSORS[order]);
  const [tagId] = tag === undefined ? [] : (await tags.idsByName(source.db, [tag])).values();
  if (tag !== undefined && tagId === undefined) return search.NOTHING_FOUND;
  if (await isPastEnd(source, keyed)) return search.NOTHING_FOUND;
  const { slow, databases, cache, memory, now } = source;
  const { search_language: language } = await settings.cached(cache, databases);
  return search.find({ db: slow, cache, memory }, { q, tagId, since, order, language, now }, keyed);
}

/** The months with articles in UTC, such as `2026-03`, the newest first. The index of dates finds each. */
export async function months(db: Db): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    with recursive months (start) as (
      select date_trunc('month', max(published_at), 'UTC') from published_articles
      union all
      select date_trunc('month', (
        select max(published_at) from published_articles where published_at < months.start
      ), 'UTC') from months where months.start is not null
    )
    select to_char(start at time zone 'UTC', 'YYYY-MM') as month from months where start is not null`.execute(
    db,
  );
  return rows.map(({ month }) => month);
}

export async function publishedIn(db: Db, month: string, { limit, offset }: Slice) {
  const { rows } = await sql<{ article_id: number }>`
    select article_id from published_articles
    where published_at >= ${`${month}-01`}::timestamp at time zone 'UTC'
      and published_at < (${`${month}-01`}::timestamp + interval '1 month') at time zone 'UTC'
    order by published_at desc, article_id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

type Filters = { [Name in keyof ArticleList]?: ArticleList[Name] | undefined };

const STATES: Record<string, { order: OrderName; conditions: (now: Date) => Conditions }> = {
  fresh: {
    order: "newest",
    conditions: (now) => ({
      publishedAfter: daysAgo(7 / 24, now),
      reactions: { from: 0, to: 1 },
      scoreAbove: -2,
    }),
  },
  rising: {
    order: "reactions",
    conditions: (now) => ({ publishedAfter: daysAgo(3, now), reactions: { from: 20, to: 32 } }),
  },
  recent: { order: "newest", conditions: () => ({}) },
};

/** The first given filter in this sequence decides. */
function orderOf(query: Filters): OrderName {
  if (query.sort) return query.sort === "asc" ? "oldest" : "newest";
  if (query.collection_id !== undefined) return "oldest";
  if (query.top !== undefined) return "reactions";
  if (query.state !== undefined) return STATES[query.state]?.order ?? "newest";
  if (query.tags !== undefined || query.tags_exclude !== undefined) return "reactions";
  if (query.tag !== undefined) return "hotness";
  return query.username === undefined ? "hotness" : "newest";
}

async function narrow(db: Db, query: Filters, now: Date): Promise<Conditions | undefined> {
  const parts = [
    narrowByState(query, now),
    await narrowByTags(db, query),
    query.username === undefined ? {} : await narrowByName(db, query.username),
  ];
  if (parts.includes(undefined)) return undefined;
  const conditions: Conditions = Object.assign({}, ...parts);
  if (query.collection_id !== undefined) conditions.collectionId = query.collection_id;
  if (query.top !== undefined) {
    const since = daysAgo(query.top, now);
    const { publishedAfter = since } = conditions;
    conditions.publishedAfter = publishedAfter > since ? publishedAfter : since;
  }
  return conditions;
}

function narrowByState({ state, username }: Filters, now: Date): Conditions | undefined {
  if (state === undefined || (state === "all" && username !== undefined)) return {};
  return Object.hasOwn(STATES, state) ? STATES[state]?.conditions(now) : undefined;
}

async function narrowByTags(
  db: Db,
  { tag, tags: any, tags_exclude }: Filters,
): Promise<Conditions | undefined> {
  const names = { any: split(any), none: split(tags_exclude) };
  const ids = await tags.idsByName(db, [...names.any, ...names.none]);
  const known = (list: string[]) => list.flatMap((name) => ids.get(tags.spelling(name)) ?? []);
  const conditions: Conditions = { noTagIds: known(names.none) };
  if (tag !== undefined) {
    conditions.tag = tags.spelling(tag);
    if (!tags.isStorable(conditions.tag)) return undefined;
  }
  if (names.any.length > 0) {
    conditions.anyTagIds = known(names.any);
    if (conditions.anyTagIds.length === 0) return undefined;
  }
  return conditions;
}

async function narrowByName(db: Db, username: string): Promise<Conditions | undefined> {
  const name = username.toLowerCase();
  const authorId = (await users.idsByUsername(db, [name])).get(name);
  if (authorId !== undefined) return { authorId };
  const organizationId = (await organizations.idsByUsername(db, [name])).get(name);
  return organizationId === undefined ? undefined : { organizationId };
}

function split(list: string | undefined): string[] {
  return (list ?? "").split(",").filter((part) => part.trim() !== "");
}
