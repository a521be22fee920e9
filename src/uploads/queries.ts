import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyText } from "../db/values.ts";

/** So that of two uploads at once the second sees the first. */
export function lockUser(tx: Db, userId: number) {
  return tx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
}

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

/** Those of these files that a text or an address of the site names, whoever owns them. */
export async function mentioned(db: Db, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct found[1] as name
    from (
      select body_markdown as text from articles where body_markdown like '%/uploads/%'
      union all select main_image from articles where main_image like '%/uploads/%'
      union all select profile_image from users where profile_image like '%/uploads/%'
      union all select profile_image from organizations where profile_image like '%/uploads/%'
    ) as texts, regexp_matches(text, '/uploads/([0-9a-f]{32}(?:-[0-9]+)?\\.[a-z]+)', 'g') as found
    where found[1] = any(${names})`.execute(db);
  return rows.map(({ name }) => name);
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
