import type { Insertable, Selectable } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt, anyText } from "../db/values.ts";
import type { Articles } from "../db/tables.ts";
import { reserveIds } from "../records/identity.ts";
import { derivedSlug } from "../text/slug.ts";
import type { Row } from "./record-row.ts";
import type { ArticleRecord } from "./record-schema.ts";

/** What a record decides about an article. */
export type Columns = Pick<
  Selectable<Articles>,
  | "author_id"
  | "body_html"
  | "body_markdown"
  | "canonical_url"
  | "collection_id"
  | "created_at"
  | "crossposted_at"
  | "description"
  | "edited_at"
  | "imported_page_views_count"
  | "imported_reactions_count"
  | "main_image"
  | "organization_id"
  | "points"
  | "published_at"
  | "reading_time_minutes"
  | "renderer_version"
  | "slug"
  | "state"
  | "tag_list"
  | "title"
  | "video_duration_seconds"
  | "video_source_url"
  | "video_thumbnail_url"
>;

export type Existing = Columns & { id: number };

/** The record's slug, or the one that the same content always gets. */
export function slugOf({ slug, author, title, created_at }: ArticleRecord): string {
  return slug ?? derivedSlug({ author, title, createdAt: new Date(created_at ?? 0) });
}

/** The articles that have these slugs, held until the transaction ends. */
export async function findBySlugs(tx: Db, slugs: string[]): Promise<Map<string, Existing>> {
  const rows = await tx
    .selectFrom("articles")
    .selectAll()
    .where("slug", "=", anyText(slugs))
    .orderBy("id")
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.slug, row]));
}

/** Stores new articles and returns their numbers: those they bring where they are free, else new ones. */
export async function insert(tx: Db, rows: Row[]): Promise<number[]> {
  const ids = await reserveIds(
    tx,
    "articles",
    rows.map(({ wantedId }) => wantedId),
  );
  const numbered = rows.flatMap(({ columns }, index) => {
    const id = ids[index];
    return id === undefined ? [] : { ...columns, id };
  });
  const others = rows.filter((_row, index) => ids[index] === undefined).map(({ columns }) => columns);
  return [...(await insertAll(tx, numbered)), ...(await insertAll(tx, others))];
}

async function insertAll(tx: Db, rows: Insertable<Articles>[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const inserted = await tx.insertInto("articles").values(rows).returning("id").execute();
  return inserted.map(({ id }) => id);
}

/** Stores what has changed. What was deleted is back. */
export async function update(tx: Db, rows: Row[]): Promise<void> {
  for (const { existing, columns } of rows) {
    await tx
      .updateTable("articles")
      .set({ ...columns, deleted_at: null, deleted_from: null })
      .where("id", "=", existing?.id ?? 0)
      .execute();
  }
}

export function seriesKey({ columns, series }: Pick<Row, "columns" | "series">): string {
  return `${columns.author_id} ${series}`;
}

/** The numbers of the series that rows belong to, by their key; new ones are made. */
export async function seriesIds(tx: Db, rows: Row[]): Promise<Map<string, number>> {
  const named = rows.flatMap(({ columns, series }) =>
    series === null ? [] : { user_id: columns.author_id, slug: series },
  );
  if (named.length === 0) return new Map();
  const wanted = [...new Map(named.map((one) => [`${one.user_id} ${one.slug}`, one])).values()];
  await tx
    .insertInto("collections")
    .values(wanted)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const found = await tx
    .selectFrom("collections")
    .selectAll()
    .where((eb) => eb.or(wanted.map(({ user_id, slug }) => eb.and({ user_id, slug }))))
    .execute();
  return new Map(found.map(({ id, user_id, slug }) => [`${user_id} ${slug}`, id]));
}

/** Removes series that nothing belongs to any more. */
export async function removeEmptySeries(tx: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  // First: who puts an article into one now is waited for, and seen by the statement after it.
  await tx
    .selectFrom("collections")
    .select("id")
    .where("id", "=", anyInt(ids))
    .orderBy("id")
    .forUpdate()
    .execute();
  await tx
    .deleteFrom("collections")
    .where("id", "=", anyInt(ids))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("articles").select("id").whereRef("collection_id", "=", "collections.id"))),
    )
    .execute();
}
