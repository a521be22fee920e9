import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Users } from "../../platform/db/tables.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { allWords, anyText, endOfBeginning, storable } from "../../platform/db/values.ts";
import { idIn } from "../../platform/fields/fields.ts";
import { PROFILE_COLUMNS } from "./columns.ts";
import { canBeUsername } from "./names.ts";

export type PublicProfile = Pick<Selectable<Users>, (typeof PROFILE_COLUMNS)[number] | "suspended" | "spam">;

export async function findPublicProfile(db: Db, username: string): Promise<PublicProfile | undefined> {
  if (!canBeUsername(username)) return undefined;
  return db
    .selectFrom("users")
    .select([...PROFILE_COLUMNS, "suspended", "spam"])
    .where("username", "=", username)
    .executeTakeFirst();
}

/** The username of the account that the one of this name was merged into. */
export async function mergedInto(db: Db, username: string): Promise<string | undefined> {
  const name = storable(username);
  return (await mergedAccounts(db, [name])).get(name);
}

export async function mergedAccounts(db: Db, usernames: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("retired_names")
    .innerJoin("users", "users.id", "retired_names.user_id")
    .select(["retired_names.username as from", "users.username as to"])
    .where("retired_names.username", "=", anyText(usernames))
    .execute();
  return new Map(rows.map(({ from, to }) => [from, to]));
}

export interface FoundProfile {
  kind: "user" | "organization";
  id: number;
  username: string;
  name: string;
  summary: string | null;
  profile_image: string | null;
}

/** Bounds the sorting of a word that very many profiles have. */
const MAX_FOUND = 1_000;

/** People and organizations with these words in their names or summaries, exact names first. */
export async function search(db: Db, q: string, limit: number): Promise<FoundProfile[]> {
  const found = (table: string, kind: FoundProfile["kind"]) => sql`
    (select ${sql.lit(kind)} as kind, id, username, name, summary, profile_image from ${sql.table(table)}
    where to_tsvector('simple', username || ' ' || name || ' ' || coalesce(summary, ''))
      @@ ${allWords(q)} limit ${MAX_FOUND})`;
  const name = storable(q).toLowerCase();
  const { rows } = await sql<FoundProfile>`
    select * from (${found("users", "user")} union all ${found("organizations", "organization")}) as profiles
    order by username = ${name} desc, lower(name) = ${name} desc,
      to_tsvector('simple', username || ' ' || name) @@ ${allWords(q)} desc, kind, id
    limit ${limit}`.execute(db);
  return rows;
}

/** People and organizations whose names or usernames begin so, exact ones first; of each kind at most `2 * most`. */
export async function named(db: Db, beginning: string, most: number): Promise<FoundProfile[]> {
  const name = storable(beginning).toLowerCase();
  return beginningSo(db, { name, end: endOfBeginning(name), most });
}

const beginningSo = prepare<{ name: string; end: string; most: number }, FoundProfile>((value) => {
  // Each in the order of its index, in which the exact name is the first.
  const found = (table: string, kind: FoundProfile["kind"], column: "username" | "lower(name)") => sql`
    (select ${sql.lit(kind)} as kind, id, username, name, summary, profile_image from ${sql.table(table)}
    where ${sql.raw(column)} ~>=~ ${value("name")}::text and ${sql.raw(column)} ~<~ ${value("end")}::text
      ${kind === "user" ? sql`and not suspended` : sql``}
    order by ${sql.raw(column)} using ~<~ limit ${value("most")}::int)`;
  return sql`
    select * from (
      ${found("users", "user", "username")} union ${found("users", "user", "lower(name)")}
      union ${found("organizations", "organization", "username")}
      union ${found("organizations", "organization", "lower(name)")}
    ) as profiles
    order by username = ${value("name")}::text desc, lower(name) = ${value("name")}::text desc, length(name), kind, id`;
});

/** At most so many of each kind: those of `named`, then others with the words in their names, the last one as a beginning. */
export async function namedWith(db: Db, text: string, most: number): Promise<FoundProfile[]> {
  const words = storable(text).match(/[\p{L}\p{M}\p{N}]+/gu);
  const [first, others] = await Promise.all([
    named(db, text, most),
    words === null ? [] : withWords(db, { words: `${words.join(" & ")}:*`, most }),
  ]);
  const of = (profiles: readonly FoundProfile[], kind: FoundProfile["kind"]) =>
    profiles.filter((each) => each.kind === kind);
  const isOther = ({ username }: FoundProfile) => first.every((each) => each.username !== username);
  const all = [...first, ...others.filter(isOther)];
  return [...of(all, "user").slice(0, most), ...of(all, "organization").slice(0, most)];
}

const withWords = prepare<{ words: string; most: number }, FoundProfile>((value) => {
  const words = sql`to_tsquery('simple', ${value("words")}::text)`;
  const found = (table: string, kind: FoundProfile["kind"]) => sql`
    (select ${sql.lit(kind)} as kind, id, username, name, summary, profile_image from (
      select * from ${sql.table(table)}
      where to_tsvector('simple', username || ' ' || name || ' ' || coalesce(summary, '')) @@ ${words}
        ${kind === "user" ? sql`and not suspended` : sql``} limit ${sql.lit(MAX_FOUND)}
    ) as profiles
    where to_tsvector('simple', username || ' ' || name) @@ ${words}
    order by length(name), id limit 2 * ${value("most")}::int)`;
  return sql`${found("users", "user")} union all ${found("organizations", "organization")}`;
});

/** People of any state, newest first: all, or those with this address, this beginning of a name, or this word in it. */
export function listForStaff(db: Db, { q, after, limit }: { q: string; after: string; limit: number }) {
  const text = storable(q).trim().toLowerCase();
  const begins = (name: RawBuilder<string>) => sql`
    (select id from users where ${name} ~>=~ ${text} and ${name} ~<~ ${endOfBeginning(text)} limit ${MAX_FOUND})`;
  // Each part has its index.
  const found = sql<number>`(
    (select id from users where lower(email) = ${text})
    union ${begins(sql`username`)} union ${begins(sql`lower(name)`)}
    union (select id from users where to_tsvector('simple', username || ' ' || name || ' ' || coalesce(summary, ''))
      @@ ${allWords(text)} and to_tsvector('simple', name) @@ ${allWords(text)} limit ${MAX_FOUND})
  )`;
  return db
    .selectFrom("users")
    .select(["id", "username", "name", "email", "role", "suspended", "profile_image"])
    .where("id", "<", idIn(after) ?? 2_147_483_647)
    .$if(text !== "", (query) => query.where("id", "in", found))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
