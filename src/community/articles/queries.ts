import {
  type ExpressionBuilder,
  type InferResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import type { DB } from "../../platform/db/tables.ts";
import { anyText } from "../../platform/db/values.ts";
import { pathUnder } from "../../platform/paths.ts";
import { byline } from "../users/columns.ts";

type Value<Values> = (key: keyof Values & string) => RawBuilder<unknown>;

/** Prepares a look-up of published articles by their ids, in no order. */
export function prepareRows<Row, Values extends { ids: number[] } = { ids: number[] }>(
  select: (db: Db, value: Value<Values>) => SelectQueryBuilder<DB, "articles", object>,
) {
  return prepare<Values, Row>((value, db) => {
    const query = select(db, value).where("articles.id", "=", sql<number>`any(${value("ids")}::int[])`);
    return sql`${query.where("articles.state", "=", sql.lit("published"))}`;
  });
}

export const summaries = prepareRows<SummaryRow>(selectSummaries);

/** Prepares a look-up of one article that isn't deleted. */
function prepareFull(condition: (key: RawBuilder<unknown>) => RawBuilder<boolean>) {
  const statement = prepare<{ key: string | number }, FullRow>(
    (value, db) => sql`${selectFull(db).where(condition(value("key")))}`,
  );
  return async (db: Db, key: string | number) => (await statement(db, { key }))[0];
}

export const findById = prepareFull((id) => sql`articles.id = ${id}::int`);

/** Finds an article by its slug in lower case; slugs are unique over the site. */
export const findBySlug = prepareFull((slug) => sql`articles.slug = ${slug}::text`);

export const findByRetiredPath = prepareFull(
  (path) => sql`articles.id = (select article_id from retired_paths where path = ${path}::text)`,
);

export function findDeleted(db: Db, by: { id: number } | { slug: string }) {
  return selectSummaries(db)
    .where((eb) => eb.and({ ...by, state: "deleted" }))
    .executeTakeFirst();
}

/** Undefined for a deleted article. */
export async function authorOf(db: Db, id: number) {
  const [found] = await findAuthor(db, { id });
  return found;
}

const findAuthor = prepare<{ id: number }, { author_id: number; state: string }>(
  (value) => sql`select author_id, state from articles where id = ${value("id")}::int and state <> 'deleted'`,
);

export function selectPlaces(db: Db) {
  return db
    .selectFrom("articles")
    .innerJoin("users", "users.id", "articles.author_id")
    .leftJoin("organizations", "organizations.id", "articles.organization_id")
    .select(["articles.id", "articles.slug", "articles.title", "articles.state"])
    .select((eb) => eb.fn.coalesce("organizations.username", "users.username").as("username"));
}

/** The articles with the slugs of these paths, by their own paths. */
export async function findByPaths(db: Db, paths: readonly string[]) {
  const slugs = paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
  const rows = await selectPlaces(db).where("articles.slug", "=", anyText(slugs)).execute();
  return new Map(rows.map((row) => [pathUnder(row.username, row.slug), row]));
}

export function findIds(db: Db, slugs: readonly string[]) {
  return db
    .selectFrom("articles")
    .select(["id", "slug"])
    .where("slug", "=", anyText(slugs))
    .where("state", "<>", "deleted")
    .execute();
}

export type SummaryRow = InferResult<ReturnType<typeof selectSummaries>>[number];
export type FullRow = InferResult<ReturnType<typeof selectFull>>[number];

const SUMMARY_COLUMNS = [
  "articles.id",
  "articles.version",
  "articles.state",
  "articles.title",
  "articles.description",
  "articles.excerpt",
  "articles.slug",
  "articles.tag_list",
  "articles.main_image",
  "articles.canonical_url",
  "articles.collection_id",
  "articles.comments_count",
  "articles.public_reactions_count",
  "articles.created_at",
  "articles.edited_at",
  "articles.crossposted_at",
  "articles.published_at",
  "articles.last_comment_at",
  "articles.reading_time_minutes",
] as const;

export function selectSummaries(db: Db) {
  return db
    .selectFrom("articles")
    .select(SUMMARY_COLUMNS)
    .select(byline("articles"))
    .select((eb) => flareTag(eb).as("flare_tag"));
}

function flareTag(eb: ExpressionBuilder<DB, "articles">) {
  const tag = eb
    .selectFrom("tags")
    .select(["name", "bg_color_hex", "text_color_hex"])
    .where("name", "=", sql<string>`any(flares())`)
    .where("name", "=", sql<string>`any(articles.tag_list)`)
    .orderBy(sql`array_position(flares(), name)`)
    .limit(sql.lit(1));
  // Cheaper than a look for each flare.
  const hasAny = sql<boolean>`articles.tag_list && flares()`;
  return eb.case().when(hasAny).then(jsonObjectFrom(tag)).end();
}

function selectFull(db: Db) {
  return selectSummaries(db)
    .select([
      "articles.author_id",
      "articles.organization_id",
      "articles.body_html",
      "articles.body_markdown",
      "articles.video_source_url",
      "articles.video_thumbnail_url",
    ])
    .where("articles.state", "<>", sql.lit("deleted"));
}

const bodyStatement = prepare<{ id: number }, { body_markdown: string }>(
  (value) => sql`select body_markdown from articles where id = ${value("id")}::int and state = 'published'`,
);

/** Reads the body of a search's only result. */
export async function bodyOf(db: Db, id: number): Promise<string | undefined> {
  const [row] = await bodyStatement(db, { id });
  return row?.body_markdown;
}

export async function lockFree(tx: Db, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from articles where id = any(${ids}) order by id for update skip locked`.execute(tx);
  return rows.map(({ id }) => id);
}

export type Whose = { author_id: number } | { organization_id: number } | { alias: string };

export async function lockAllOf(
  tx: Db,
  whose: Whose,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await tx
    .selectFrom("articles")
    .select("id")
    .where((eb) => ("alias" in whose ? sql<boolean>`tag_list @> array[${whose.alias}]` : eb.and(whose)))
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export function lockOfAuthor(tx: Db, authorId: number, limit: number) {
  const query = tx.selectFrom("articles").selectAll().where("author_id", "=", authorId);
  return query.orderBy("id").limit(limit).forUpdate().execute();
}

export async function replaceAlias(tx: Db, ids: number[], alias: string): Promise<void> {
  await sql`update articles set tag_list = replace_alias(tag_list, ${alias}) where id = any(${ids})`.execute(
    tx,
  );
}
