import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../../platform/db/connect.ts";
import { prepare } from "../../../platform/db/prepared.ts";
import { encodeCursor, type Part, toPart } from "../../../http/pages.ts";
import type { Ref } from "../../../search/find.ts";
import { ORDERS, type SortKey } from "./orders.ts";
import {
  type Filter,
  type ListCut,
  type Shape,
  shapeOf,
  typed,
  type Value,
  type Values,
  valuesOf,
} from "./shape.ts";

/** One row: a row per article would cost three times as much to read. */
interface ListRow {
  /** Like `{1,2}`; null for none. */
  ids: string | null;
  versions: string | null;
  /** The sort key of a full part's last article. */
  published_at: Date | null;
  value: number | null;
}

export async function listPublished(db: Db, { limit, ...filter }: ListCut): Promise<Part<Ref>> {
  const cut = { ...filter, limit: limit + 1 };
  const shape = shapeOf(cut);
  const [row] = shape.isPrepared
    ? await statementOf(shape)(db, valuesOf(cut))
    : (await listQuery(cut).execute(db)).rows;
  const { ids, versions, published_at, value } = row as ListRow;
  if (ids === null || versions === null) return { rows: [], next: undefined };
  const versionOf = elements(versions);
  const refs = elements(ids).map((id, at) => ({ article_id: Number(id), version: versionOf[at] as string }));
  const end = { article_id: refs[limit - 1]?.article_id, published_at, value } as SortKey;
  return toPart(refs, limit, () => ({ cursor: encodeCursor(ORDERS[filter.order], end) }));
}

const statements = new Map<string, ReturnType<typeof prepareList>>();

function statementOf(shape: Shape) {
  const key = JSON.stringify(shape);
  const statement = statements.get(key) ?? prepareList(shape);
  statements.set(key, statement);
  return statement;
}

function prepareList(shape: Shape) {
  return prepare<Values, ListRow>((value) => listSql(shape, typed(value, shape)));
}

function elements(array: string): string[] {
  return array.slice(1, -1).split(",");
}

export function listQuery(cut: ListCut): RawBuilder<ListRow> {
  const shape = shapeOf(cut);
  const values = valuesOf(cut);
  return listSql(
    shape,
    typed((key) => sql`${values[key]}`, shape),
  );
}

function listSql(shape: Shape, value: Value): RawBuilder<ListRow> {
  const lastButOne = sql`${value("limit")} - 1`;
  return sql<ListRow>`
    select array_agg(article_id)::text as ids, array_agg(version)::text as versions,
      (array_agg(published_at))[${lastButOne}] as published_at, (array_agg(value))[${lastButOne}] as value
    from (${withVersions(shape, value)}) as part`;
}

/** Reads narrow tables. Lists that skip rows or start in another table read an index first. */
function withVersions(shape: Shape, value: Value): RawBuilder<unknown> {
  const { by, columns, value: orderValue } = ORDERS[shape.order];
  const isInOnePiece = tableOf(shape) === "published_articles" && !isMerged(shape);
  if (isInOnePiece && !shape.isDeep)
    return rowsOf(shape, value, sql`${columns}, version, ${orderValue} as value`);
  return sql`
    select article_id, page.published_at, ${orderValue} as value, version
    from (${isMerged(shape) ? merged(shape, value) : rowsOf(shape, value)}) as page
    -- The limit keeps the planner from scanning all articles for a join.
    cross join lateral (
      select version from published_articles as listed where listed.article_id = page.article_id limit 1
    ) as listed
    order by ${by}`;
}

function isMerged({ byTag, byWeek }: Shape): boolean {
  return byTag || byWeek;
}

/** An article is in the branch of each of its tags. */
function merged(shape: Shape, value: Value): RawBuilder<unknown> {
  const fromStart: Value = (key) => {
    if (key === "offset") return sql`0`;
    return key === "limit" ? sql`${value("limit")} + ${value("offset")}` : value(key);
  };
  return sql`
    select ${sql.raw(shape.byTag ? "distinct first.*" : "first.*")}
    from ${branchRows(shape, value)} cross join lateral (${rowsOf(shape, fromStart)}) as first
    order by ${ORDERS[shape.order].by} limit ${value("limit")} offset ${value("offset")}`;
}

function branchRows({ byTag, byWeek }: Shape, value: Value): RawBuilder<unknown> {
  const from = [
    ...(byTag ? [sql`unnest(${value("anyTagIds")}) as branch_tag`] : []),
    ...(byWeek ? [sql`generate_series(${value("fromWeek")}, ${value("toWeek")}) as branch_week`] : []),
  ];
  return sql.join(from, sql` cross join `);
}

/**
 * The date is compared in the first week only: PostgreSQL takes date and week for independent, and would expect next
 * to nothing of a week after a late date.
 */
const inBranchWeek = (value: Value) => sql`week = branch_week and (published_at >
  case branch_week when ${value("fromWeek")} then ${value("publishedAfter")} else '-infinity' end) is true`;

/** The table of tags has an index for each tag and order. */
function tableOf({ filters, byTag }: Shape): "article_tags" | "published_articles" {
  return filters.includes("tag") || byTag ? "article_tags" : "published_articles";
}

function rowsOf(shape: Shape, value: Value, columns = ORDERS[shape.order].columns): RawBuilder<unknown> {
  const { filters, byTag, byWeek, order, isBehindCursor } = shape;
  const table = tableOf(shape);
  const conditionsOf = (by: Conditions) => filters.flatMap((name) => by[name]?.(value) ?? []);
  const own = conditionsOf(OWN);
  const isElsewhere = table === "article_tags" && own.length > 0;
  const place = {
    value: value("afterValue"),
    published_at: value("afterDate"),
    article_id: value("afterId"),
  };
  const conditions = [
    ...(byTag ? [sql`tag_id = branch_tag`] : []),
    ...(byWeek ? [inBranchWeek(value)] : []),
    ...(isElsewhere
      ? [
          sql`exists (select from published_articles as other
            where other.article_id = listed.article_id and ${sql.join(own, sql` and `)})`,
        ]
      : own),
    ...dateConditions(shape, value),
    ...conditionsOf(byTag ? { ...SHARED, anyTagIds: undefined } : SHARED),
    ...(isBehindCursor ? [ORDERS[order].isAfter(place)] : []),
  ];
  return sql`
    select ${columns} from ${sql.table(table)} as listed
    where ${sql.join(conditions, sql` and `)}
    order by ${ORDERS[order].by} limit ${value("limit")} offset ${value("offset")}`;
}

type Conditions = { [Name in Filter]?: ((value: Value) => RawBuilder<unknown>) | undefined };

const OWN: Conditions = {
  hasVideo: () => sql`has_video`,
  authorId: (value) => sql`author_id = ${value("authorId")}`,
  organizationId: (value) => sql`organization_id = ${value("organizationId")}`,
  collectionId: (value) => sql`collection_id = ${value("collectionId")}`,
  scoreAbove: (value) => sql`score > ${value("scoreAbove")}`,
};

const SHARED: Conditions = {
  tag: (value) => sql`tag_id = (select coalesce(alias_for, id) from tags where name = ${value("tag")})`,
  anyTagIds: (value) => sql`
    article_id in (select other.article_id from article_tags as other where tag_id = any(${value("anyTagIds")}))`,
  reactions: (value) => sql`reactions between ${value("fromReactions")} and ${value("toReactions")}`,
  noTagIds: (value) => sql`
    not exists (
      select from article_tags as other
      where other.article_id = listed.article_id and other.tag_id = any(${value("noTagIds")}))`,
};

/** The planner expects few rows between dates that it doesn't know. "is true" keeps it from an index by date. */
function dateConditions({ filters, order, byWeek, isPrepared }: Shape, value: Value): RawBuilder<unknown>[] {
  const isSince = filters.includes("publishedAfter") && !byWeek;
  const conditions = [
    sql`published_at <= ${value("now")}`,
    ...(isSince ? [sql`published_at > ${value("publishedAfter")}`] : []),
  ];
  if (!isPrepared || ORDERS[order].isByDate) return conditions;
  return conditions.map((condition) => sql`(${condition}) is true`);
}
