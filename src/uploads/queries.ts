import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyText } from "../db/values.ts";

export async function bytesOf(tx: Db, userId: number): Promise<number> {
  const { bytes } = await tx
    .selectFrom("uploads")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>("bytes"), eb.lit(0)).as("bytes"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

export function insert(tx: Db, upload: { name: string; user_id: number; bytes: number; created_at: Date }) {
  return tx.insertInto("uploads").values(upload).execute();
}

export function uploadsOf(db: Db, userId: number) {
  return db
    .selectFrom("uploads")
    .select(["name", "bytes", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("name")
    .execute();
}

/** Says whose it was; undefined when there was none. */
export function remove(tx: Db, name: string) {
  return tx.deleteFrom("uploads").where("name", "=", name).returning("user_id").executeTakeFirst();
}

/** Those of these uploads that are somebody's. */
export async function ownedUploads(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom("uploads").select("name").where("name", "=", anyText(names)).execute();
  return rows.map(({ name }) => name);
}

/** Those of these paths that are the picture of a person or an organization. */
export async function shownPictures(db: Db, paths: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select profile_image as path from users where profile_image = any(${paths})
    union
    select profile_image from organizations where profile_image = any(${paths})`.execute(db);
  return rows.map(({ path }) => path);
}

const NAMED = "/uploads/([0-9a-f]{32}(?:-[0-9]+)?\\.[a-z]+)";

/** Those of these files that the profile of somebody or the text of a tag names. */
export async function namedByProfiles(db: Db, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct found[1] as name
    from (
      select concat_ws(' ', profile_image, summary, website_url, location) as text from users
      union all
      select concat_ws(' ', profile_image, summary, story, tag_line, tech_stack, url, location)
      from organizations
      union all
      select short_summary from tags
    ) as texts, regexp_matches(text, ${NAMED}, 'g') as found
    where text like '%/uploads/%' and found[1] = any(${names})`.execute(db);
  return rows.map(({ name }) => name);
}

/** So many articles are read at once, so that no statement takes long. */
const ARTICLES_AT_ONCE = 2_000;

/** Those of these files that one of the next articles names, and which article is the last of these, if any. */
export async function namedByArticlesAfter(
  db: Db,
  after: number,
  names: readonly string[],
): Promise<{ names: string[]; last: number | undefined }> {
  const { rows } = await sql<{ names: string[] | null; last: number | null }>`
    with page as materialized (
      select max(id) as last
      from (select id from articles where id > ${after} order by id limit ${ARTICLES_AT_ONCE}) as ids
    )
    select last, (
      select array_agg(distinct found[1])
      from articles,
        concat_ws(' ', body_markdown, main_image, video_thumbnail_url, video_source_url, canonical_url) as text,
        regexp_matches(text, ${NAMED}, 'g') as found
      where id > ${after} and id <= last and text like '%/uploads/%' and found[1] = any(${names})
    ) as names
    from page`.execute(db);
  return { names: rows[0]?.names ?? [], last: rows[0]?.last ?? undefined };
}

/** Uploads in the order of their names, behind a name. */
export async function uploadsAfter(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("uploads")
    .select("name")
    .where("name", ">", after)
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}

/** Paths of all pictures that are kept here. */
export async function pictures(db: Db): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select profile_image as path from users where profile_image like '/%'
    union
    select profile_image from organizations where profile_image like '/%'`.execute(db);
  return rows.map(({ path }) => path);
}
