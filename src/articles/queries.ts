import {
  type ExpressionBuilder,
  type InferResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import type { DB } from "../db/tables.ts";
import { anyInt, anyText } from "../db/values.ts";
import { AUTHOR_COLUMNS } from "../users/columns.ts";

/** The first of these tags is shown as the kind of the article. */
const FLARES = [
  "explainlikeimfive",
  "jokes",
  "watercooler",
  "ama",
  "techtalks",
  "todayilearned",
  "help",
  "news",
  "healthydebate",
  "showdev",
  "challenge",
  "anonymous",
  "discuss",
];

/** Constants, which aren't sent with every query. */
const FLARE_NAMES = sql`array[${sql.join(FLARES.map((name) => sql.lit(name)))}]`;

const summariesStatement = prepare<{ ids: number[] }, SummaryRow>((value, db) =>
  raw(
    selectSummaries(db)
      .where("articles.id", "=", sql<number>`any(${value("ids")}::int[])`)
      .where("articles.state", "=", sql.lit("published")),
  ),
);

/** In no order, without unpublished ones. */
export function summaries(db: Db, ids: number[]): Promise<SummaryRow[]> {
  return summariesStatement(db, { ids });
}

const byIdStatement = prepare<{ id: number }, FullRow>((value, db) =>
  raw(selectFull(db).where("articles.id", "=", sql<number>`${value("id")}::int`)),
);

export async function findById(db: Db, id: number): Promise<FullRow | undefined> {
  const [row] = await byIdStatement(db, { id });
  return row;
}

/** While it can be restored. */
export function findDeleted(db: Db, id: number) {
  return selectSummaries(db)
    .where("articles.id", "=", id)
    .where("articles.state", "=", "deleted")
    .executeTakeFirst();
}

/** Undefined for a deleted article. */
export function authorOf(db: Db, id: number) {
  return db
    .selectFrom("articles")
    .select("author_id")
    .where("id", "=", id)
    .where("state", "<>", "deleted")
    .executeTakeFirst();
}

const bySlugStatement = prepare<{ slug: string }, FullRow>((value, db) =>
  raw(selectFull(db).where("articles.slug", "=", sql<string>`${value("slug")}::text`)),
);

/** Slugs are unique over the site and lower-case. */
export async function findBySlug(db: Db, slug: string): Promise<FullRow | undefined> {
  const [row] = await bySlugStatement(db, { slug: slug.toLowerCase() });
  return row;
}

/** Without deleted articles. */
export function findIds(db: Db, slugs: readonly string[]) {
  return db
    .selectFrom("articles")
    .select(["id", "slug"])
    .where("slug", "=", anyText(slugs))
    .where("state", "<>", "deleted")
    .execute();
}

const byRetiredPathStatement = prepare<{ path: string }, FullRow>((value, db) =>
  raw(
    selectFull(db).where("articles.id", "=", (eb) =>
      eb
        .selectFrom("retired_paths")
        .select("article_id")
        .where("path", "=", sql<string>`${value("path")}::text`),
    ),
  ),
);

export async function findByRetiredPath(db: Db, path: string): Promise<FullRow | undefined> {
  const [row] = await byRetiredPathStatement(db, { path });
  return row;
}

export type SummaryRow = InferResult<ReturnType<typeof selectSummaries>>[number];
export type FullRow = InferResult<ReturnType<typeof selectFull>>[number];

/** Keeps the type of the rows. */
function raw<Row>(query: SelectQueryBuilder<DB, "articles", Row>): RawBuilder<Row> {
  return sql<Row>`${query}`;
}

const SUMMARY_COLUMNS = [
  "articles.id",
  "articles.version",
  "articles.state",
  "articles.title",
  "articles.description",
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
    .select((eb) => [
      jsonObjectFrom(
        eb.selectFrom("users").select(AUTHOR_COLUMNS).whereRef("users.id", "=", "articles.author_id"),
      )
        .$notNull()
        .as("user"),
      jsonObjectFrom(
        eb
          .selectFrom("organizations")
          .select(["id", "name", "username", "profile_image"])
          .whereRef("organizations.id", "=", "articles.organization_id"),
      ).as("organization"),
      flareTag(eb).as("flare_tag"),
    ]);
}

function flareTag(eb: ExpressionBuilder<DB, "articles">) {
  const tag = eb
    .selectFrom("tags")
    .select(["name", "bg_color_hex", "text_color_hex"])
    .where("name", "=", sql<string>`any(${FLARE_NAMES})`)
    .where("name", "=", sql<string>`any(articles.tag_list)`)
    .orderBy(sql`array_position(${FLARE_NAMES}, name)`)
    .limit(sql.lit(1));
  // Cheaper than a look for each flare.
  const hasAny = sql<boolean>`articles.tag_list && ${FLARE_NAMES}`;
  return eb.case().when(hasAny).then(jsonObjectFrom(tag)).end();
}

/** Without deleted articles. */
function selectFull(db: Db) {
  return selectSummaries(db)
    .select([
      "articles.author_id",
      "articles.organization_id",
      "articles.body_html",
      "articles.body_markdown",
    ])
    .where("articles.state", "<>", sql.lit("deleted"));
}

const bodyStatement = prepare<{ id: number }, { body_markdown: string }>(
  (value) => sql`select body_markdown from articles where id = ${value("id")}::int and state = 'published'`,
);

/** For a search with one result. */
export async function bodyOf(db: Db, id: number): Promise<string | undefined> {
  const [row] = await bodyStatement(db, { id });
  return row?.body_markdown;
}

/** Skips articles that another transaction has locked. */
export async function lockFree(tx: Db, ids: number[]): Promise<number[]> {
  const rows = await tx
    .selectFrom("articles")
    .select("id")
    .where("id", "=", anyInt(ids))
    .orderBy("id")
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}

/** After an id. */
export async function lockAllOf(
  tx: Db,
  whose: { author_id: number } | { organization_id: number } | { alias: string },
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

/** Each tag once. */
export async function replaceAlias(tx: Db, ids: number[], alias: string): Promise<void> {
  await sql`
    update articles set tag_list = (
      select array_agg(name order by first) from (
        select coalesce(preferred.name, carried.name) as name, min(carried.place) as first
        from unnest(articles.tag_list) with ordinality as carried (name, place)
        left join tags as known on known.name = carried.name and known.name = ${alias}
        left join tags as preferred on preferred.id = known.alias_for
        group by 1) as names)
    where id = any(${ids})`.execute(tx);
}
