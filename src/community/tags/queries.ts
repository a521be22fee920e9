import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import { anyText, beginningWith, endOfBeginning, storable } from "../../platform/db/values.ts";

export const { update } = rowsOf("tags");

/** Tags that are no other tag's alias, the most used first. */
export function list(db: Db, { limit, offset }: { limit: number; offset: number }) {
  return db
    .selectFrom("tags")
    .select(["id", "name", "bg_color_hex", "text_color_hex"])
    .where("alias_for", "is", null)
    .orderBy("articles_count", "desc")
    .orderBy("name")
    .limit(limit)
    .offset(offset)
    .execute();
}

export const findByName = prepare<{ names: readonly string[] }, { asked: string; id: number; name: string }>(
  (value) => sql`
    select asked.name as asked, tags.id, tags.name
    from tags as asked join tags on tags.id = coalesce(asked.alias_for, asked.id)
    where asked.name = any(${value("names")}::text[])`,
);

export function lockByName(tx: Db, names: readonly string[]) {
  return tx
    .selectFrom("tags")
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("tags as preferred")
        .select("preferred.name")
        .whereRef("preferred.id", "=", "tags.alias_for")
        .as("preferred"),
    )
    .where("name", "=", anyText(names))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

export async function followOn(tx: Db, id: number, preferredId: number): Promise<void> {
  await tx.updateTable("tags").set({ alias_for: preferredId }).where("alias_for", "=", id).execute();
}

export async function insertMissing(tx: Db, names: readonly string[]): Promise<void> {
  const rows = [...new Set(names)].toSorted().map((name) => ({ name }));
  await tx
    .insertInto("tags")
    .values(rows)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

const SHOWN = ["id", "name", "short_summary", "articles_count"] as const;

export function directory(db: Db, { limit, offset }: { limit: number; offset: number }) {
  return db
    .selectFrom("tags")
    .select(SHOWN)
    .where("alias_for", "is", null)
    .where("articles_count", ">", 0)
    .orderBy("articles_count", "desc")
    .orderBy("name")
    .limit(limit)
    .offset(offset)
    .execute();
}

export function find(db: Db, name: string) {
  return db
    .selectFrom("tags as asked")
    .innerJoin("tags", (join) => join.on("tags.id", "=", sql<number>`coalesce(asked.alias_for, asked.id)`))
    .select(SHOWN.map((column) => `tags.${column}` as const))
    .where("asked.name", "=", name)
    .executeTakeFirst();
}

interface FoundTag {
  name: string;
  articles_count: number;
}

/** Tags that begin so, the exact one first, then the most used. An alias gives its tag. */
export function named(db: Db, text: string, limit: number): Promise<FoundTag[]> {
  return beginningSo(db, { text, end: endOfBeginning(text), limit });
}

const beginningSo = prepare<{ text: string; end: string; limit: number }, FoundTag>(
  (value) => sql`
    select tags.name, tags.articles_count
    from tags as asked join tags on tags.id = coalesce(asked.alias_for, asked.id)
    where asked.name ~>=~ ${value("text")}::text and asked.name ~<~ ${value("end")}::text and tags.articles_count > 0
    group by tags.name, tags.articles_count
    order by bool_or(asked.name = ${value("text")}::text) desc, tags.articles_count desc, tags.name
    limit ${value("limit")}::int`,
);

/** Tags that begin so, the exact one first, then the most used; then others, as they are given. */
export async function search(
  db: Db,
  text: string,
  { others, limit }: { others: readonly string[]; limit: number },
): Promise<FoundTag[]> {
  const beginning = beginningWith(text);
  const { rows } = await sql<FoundTag>`
    select name, articles_count from tags
    where alias_for is null and articles_count > 0 and (name like ${beginning} or name = any(${others}::text[]))
    order by name = ${text} desc, name like ${beginning} desc, array_position(${others}::text[], name), articles_count desc, name
    limit ${limit}`.execute(db);
  return rows;
}

const forStaff = (db: Db) =>
  db
    .selectFrom("tags")
    .leftJoin("tags as preferred", "preferred.id", "tags.alias_for")
    .select(["tags.name", "tags.articles_count", "preferred.name as preferred"])
    .select(["tags.bg_color_hex", "tags.text_color_hex", "tags.short_summary"]);

/** All tags that begin so, also unused ones and aliases, by name. */
export const listForStaff = (db: Db, { q, after, limit }: { q: string; after: string; limit: number }) =>
  forStaff(db)
    .where(
      sql<boolean>`tags.name ~>=~ ${q} and tags.name ~<~ ${endOfBeginning(q)} and tags.name ~>~ ${storable(after)}`,
    )
    .orderBy(sql`tags.name using ~<~`)
    .limit(limit)
    .execute();

export const findForStaff = (db: Db, name: string) =>
  forStaff(db).where("tags.name", "=", name).executeTakeFirst();
