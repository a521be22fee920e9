import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";
import { type Branches, branchesOf } from "./list-branches.ts";
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
  /** Articles with a later date are left out: they were published before the clock was set back. */
  now: Date;
  /** Bounds of the number of reactions, both included. */
  reactions?: { from: number; to: number } | undefined;
  scoreAbove?: number | undefined;
  /** Only those with a video. */
  hasVideo?: true | undefined;
  order: OrderName;
  limit: number;
  offset: number;
  after?: readonly (string | number)[] | undefined;
}

export type ListedRef = Listed & { version: string };

/** The articles of a page, as numbers and versions. */
export async function listPublished(db: Db, filter: ListFilter): Promise<ListedRef[]> {
  const { rows } = await listQuery(filter).execute(db);
  return rows;
}

/**
 * SQL for a page. It reads only narrow tables of published articles: the ids from an index, then their versions.
 */
export function listQuery(filter: ListFilter): RawBuilder<ListedRef> {
  const { by, value } = ORDERS[filter.order];
  return sql<ListedRef>`
    select article_id, page.published_at, ${value} as value, version from (${pageOf(filter)}) as page
    join (select article_id, version from published_articles) as listed using (article_id)
    order by ${by}`;
}

function pageOf(filter: ListFilter): RawBuilder<unknown> {
  const branches = branchesOf(filter);
  if (branches === undefined) return rowsOf(filter);
  const { limit, offset, order } = filter;
  // The page is among the first rows of each branch. An article stands in the branch of each of its tags.
  return sql`
    select ${sql.raw(branches.areTags ? "distinct first.*" : "first.*")} from ${branches.from} cross join lateral (
      ${rowsOf({ ...filter, limit: limit + offset, offset: 0 }, branches)}
    ) as first
    order by ${ORDERS[order].by} limit ${limit} offset ${offset}`;
}

/** A part of the list, or of one branch of it. */
function rowsOf(filter: ListFilter, branches?: Branches): RawBuilder<unknown> {
  const { tagId, anyTagIds, publishedAfter, now, after, limit, offset } = filter;
  const { columns, by, after: isAfter } = ORDERS[filter.order];
  // The table of tags is in every order already for each tag, so the list of a tag starts there.
  const isTagged = tagId !== undefined || branches?.areTags === true;
  const conditions = [
    ...(branches?.conditions ?? []),
    ...(tagId === undefined ? [] : [sql`tag_id = ${tagId}`]),
    ...(anyTagIds === undefined || branches?.areTags ? [] : [sql`article_id in (${taggedWith(anyTagIds)})`]),
    sql`published_at <= ${now}`,
    ...(publishedAfter === undefined || branches?.areWeeks ? [] : [sql`published_at > ${publishedAfter}`]),
    ...sharedConditions(filter),
    ...(isTagged ? ofPublished(ownConditions(filter)) : ownConditions(filter)),
    ...(after === undefined ? [] : [isAfter(after)]),
  ];
  return sql`
    select ${columns} from ${sql.table(isTagged ? "article_tags" : "published_articles")} as listed
    where ${sql.join(conditions, sql` and `)}
    order by ${by} limit ${limit} offset ${offset}`;
}

/** Conditions on columns that both tables have. */
function sharedConditions({ noTagIds, reactions }: ListFilter): RawBuilder<unknown>[] {
  return [
    ...(reactions === undefined ? [] : [sql`reactions between ${reactions.from} and ${reactions.to}`]),
    ...(noTagIds === undefined || noTagIds.length === 0
      ? []
      : [
          sql`not exists (
            select from article_tags as other
            where other.article_id = listed.article_id and other.tag_id = ${anyInt(noTagIds)})`,
        ]),
  ];
}

/** Conditions on columns that only published_articles has. */
function ownConditions(filter: ListFilter): RawBuilder<unknown>[] {
  const { authorId, organizationId, collectionId, scoreAbove, hasVideo } = filter;
  return [
    ...(hasVideo ? [sql`has_video`] : []),
    ...(authorId === undefined ? [] : [sql`author_id = ${authorId}`]),
    ...(organizationId === undefined ? [] : [sql`organization_id = ${organizationId}`]),
    ...(collectionId === undefined ? [] : [sql`collection_id = ${collectionId}`]),
    ...(scoreAbove === undefined ? [] : [sql`score > ${scoreAbove}`]),
  ];
}

function ofPublished(conditions: RawBuilder<unknown>[]): RawBuilder<unknown>[] {
  if (conditions.length === 0) return [];
  return [
    sql`exists (select from published_articles as other
      where other.article_id = listed.article_id and ${sql.join(conditions, sql` and `)})`,
  ];
}

function taggedWith(ids: readonly number[]): RawBuilder<unknown> {
  return sql`select tagged.article_id from article_tags as tagged where tagged.tag_id = ${anyInt(ids)}`;
}
