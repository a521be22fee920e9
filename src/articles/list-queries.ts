import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { type Listed, type OrderName, ORDERS } from "./orders.ts";

/** Which published articles, in which order, and which part of them. */
export interface ListFilter {
  tagId?: number | undefined;
  anyTagIds?: number[] | undefined;
  noTagIds?: number[] | undefined;
  authorId?: number | undefined;
  organizationId?: number | undefined;
  collectionId?: number | undefined;
  publishedAfter?: Date | undefined;
  /** Bounds of the number of reactions, both included. */
  reactions?: { from: number; to: number } | undefined;
  scoreAbove?: number | undefined;
  order: OrderName;
  limit: number;
  offset: number;
  after?: readonly (string | number)[] | undefined;
}

export type ListedRef = Listed & { version: string };

/**
 * The articles of a page, as numbers and versions. The page is cut from narrow tables that hold
 * published articles only, and joined to the articles afterwards.
 */
export async function listPublished(db: Db, filter: ListFilter): Promise<ListedRef[]> {
  const { by, after } = ORDERS[filter.order];
  const conditions = [...narrowing(filter), ...(filter.after ? [after(filter.after)] : [])];
  // A tag's own table is in every order already, so the list of a tag starts there.
  const table = filter.tagId === undefined ? "published_articles" : "article_tags";
  const page = sql`
    select article_id, published_at, reactions, hotness from ${sql.table(table)} as listed
    ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}
    order by ${by} limit ${filter.limit} offset ${filter.offset}`;
  const { rows } = await sql<ListedRef>`
    select page.*, articles.version from (${page}) as page
    join articles on articles.id = page.article_id
    order by ${by}`.execute(db);
  return rows;
}

function narrowing(filter: ListFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (filter.tagId !== undefined) conditions.push(sql`tag_id = ${filter.tagId}`);
  if (filter.publishedAfter) conditions.push(sql`published_at > ${filter.publishedAfter}`);
  if (filter.anyTagIds) conditions.push(sql`article_id in (${taggedWith(filter.anyTagIds)})`);
  if (filter.noTagIds && filter.noTagIds.length > 0) {
    conditions.push(sql`not exists (
      select from article_tags as other where other.article_id = listed.article_id and other.tag_id = any(${filter.noTagIds}))`);
  }
  if (filter.reactions)
    conditions.push(sql`reactions between ${filter.reactions.from} and ${filter.reactions.to}`);
  const own = ownConditions(filter);
  if (own.length === 0) return conditions;
  if (filter.tagId === undefined) return [...conditions, ...own];
  return [
    ...conditions,
    sql`exists (select from published_articles as other
      where other.article_id = listed.article_id and ${sql.join(own, sql` and `)})`,
  ];
}

/** Conditions on columns that only published_articles has. */
function ownConditions(filter: ListFilter): RawBuilder<unknown>[] {
  const { authorId, organizationId, collectionId, scoreAbove } = filter;
  return [
    ...(authorId === undefined ? [] : [sql`author_id = ${authorId}`]),
    ...(organizationId === undefined ? [] : [sql`organization_id = ${organizationId}`]),
    ...(collectionId === undefined ? [] : [sql`collection_id = ${collectionId}`]),
    ...(scoreAbove === undefined ? [] : [sql`score > ${scoreAbove}`]),
  ];
}

function taggedWith(ids: number[]): RawBuilder<unknown> {
  return sql`select tagged.article_id from article_tags as tagged where tagged.tag_id = any(${ids})`;
}
