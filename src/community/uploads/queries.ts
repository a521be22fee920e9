import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { FORMATS } from "../../content/images/formats.ts";
import { PICTURED } from "../records/pictures.ts";

/** The tables in whose rows, whatever the column, an upload may be shown. */
export const SHOWING = [
  "users",
  "organizations",
  "tags",
  "articles",
  "podcasts",
  "podcast_episodes",
  "comments",
  "listings",
] as const;

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

const EXTENSIONS = Object.values(FORMATS).map(({ extension }) => extension);

/** The upload whose name has these 32 digits. */
export function byStem(db: Db, stem: string) {
  return db
    .selectFrom("uploads")
    .innerJoin("users", "users.id", "uploads.user_id")
    .select(["uploads.name", "users.username as owner"])
    .where(
      "uploads.name",
      "in",
      EXTENSIONS.map((extension) => `${stem}.${extension}`),
    )
    .executeTakeFirst();
}

export function remove(tx: Db, name: string) {
  return tx.deleteFrom("uploads").where("name", "=", name).returning("user_id").executeTakeFirst();
}

const NAMED = "/uploads/([0-9a-f]{32}(?:-[0-9]+)?\\.[a-z]+)";

/** Keeps each statement short. */
const ROWS_AT_ONCE = 1_000;

/** The names among these that the next rows of a table contain, and the id of the last of these rows. */
export async function namedAfter(
  db: Db,
  { table, after }: { table: (typeof SHOWING)[number]; after: number },
  names: readonly string[],
): Promise<{ names: string[]; last: number | undefined }> {
  const { rows } = await sql<{ names: string[] | null; last: number | null }>`
    with page as materialized (
      select max(id) as last
      from (select id from ${sql.table(table)} where id > ${after} order by id limit ${ROWS_AT_ONCE}) as ids
    )
    select last, (
      select array_agg(distinct found[1])
      from ${sql.table(table)} as shown, concat(shown) as text, regexp_matches(text, ${NAMED}, 'g') as found
      where id > ${after} and id <= last and text like '%/uploads/%' and found[1] = any(${names})
    ) as names
    from page`.execute(db);
  return { names: rows[0]?.names ?? [], last: rows[0]?.last ?? undefined };
}

export async function namedInSettings(db: Db, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value::text as value from settings where value::text like '%/uploads/%'`.execute(db);
  return names.filter((name) => rows.some(({ value }) => value.includes(`/uploads/${name}`)));
}

export async function settingNaming(db: Db, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ key: string }>`
    select key from settings where position(${`/uploads/${name}`} in value::text) > 0 order by key limit 1`.execute(
    db,
  );
  return rows[0]?.key;
}

export async function logo(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string | null }>`
    select substring(value #>> '{}' from ${`^${NAMED}$`}) as name from settings where key = 'logo_url'`.execute(
    db,
  );
  return rows.flatMap(({ name }) => name ?? []);
}

export function uploads(db: Db) {
  return db.selectFrom("uploads").select("name").orderBy("name").execute();
}

export async function pictures(db: Db): Promise<string[]> {
  const all = Object.values(PICTURED).map(
    ({ table, column }) => sql`select ${sql.ref(column)} as picture from ${sql.table(table)}`,
  );
  const { rows } = await sql<{ picture: string }>`
    select distinct picture from (${sql.join(all, sql` union all `)}) as pictures where picture like '/%'`.execute(
    db,
  );
  return rows.map(({ picture }) => picture);
}
