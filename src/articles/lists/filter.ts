import type { Db } from "../../db/connect.ts";
import * as organizations from "../../organizations/organizations.ts";
import * as tags from "../../tags/tags.ts";
import * as users from "../../users/users.ts";
import type { ArticleList } from "../schema.ts";
import type { OrderName } from "./orders.ts";
import { type Conditions, daysAgo } from "./shape.ts";

/** Parameters of a list. */
export type Filters = { [Name in keyof ArticleList]?: ArticleList[Name] | undefined };

/** The states of Forem. */
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
export function orderOf(query: Filters): OrderName {
  if (query.sort) return query.sort === "asc" ? "oldest" : "newest";
  if (query.collection_id !== undefined) return "oldest";
  if (query.top !== undefined) return "reactions";
  if (query.state !== undefined) return STATES[query.state]?.order ?? "newest";
  if (query.tags !== undefined || query.tags_exclude !== undefined) return "reactions";
  if (query.tag !== undefined) return "hotness";
  return query.username === undefined ? "hotness" : "newest";
}

/** All filters together; undefined when nothing can match. */
export async function narrow(db: Db, query: Filters, now: Date): Promise<Conditions | undefined> {
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
