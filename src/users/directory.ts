import { type Selectable, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Users } from "../db/tables.ts";
import { allWords, anyText, beginningWith, storable } from "../db/values.ts";
import { PROFILE_COLUMNS } from "./columns.ts";
import { canBeUsername } from "./names.ts";

export type PublicProfile = Pick<Selectable<Users>, (typeof PROFILE_COLUMNS)[number] | "suspended">;

export async function findPublicProfile(db: Db, username: string): Promise<PublicProfile | undefined> {
  if (!canBeUsername(username)) return undefined;
  return db
    .selectFrom("users")
    .select([...PROFILE_COLUMNS, "suspended"])
    .where("username", "=", username)
    .executeTakeFirst();
}

/** The username of the account that the one of this name was merged into. */
export async function mergedInto(db: Db, username: string): Promise<string | undefined> {
  const { rows } = await sql<{ username: string }>`
    select users.username from retired_names join users on users.id = user_id
    where retired_names.username = ${storable(username)}`.execute(db);
  return rows[0]?.username;
}

/** The usernames of the accounts that these were merged into. */
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
  const pattern = beginningWith(name);
  // Each in the order of its index, in which the exact name is the first.
  const found = (table: string, kind: FoundProfile["kind"], column: "username" | "lower(name)") => sql`
    (select ${sql.lit(kind)} as kind, id, username, name, summary, profile_image from ${sql.table(table)}
    where ${sql.raw(column)} like ${pattern} ${kind === "user" ? sql`and not suspended` : sql``}
    order by ${sql.raw(column)} using ~<~ limit ${most})`;
  const { rows } = await sql<FoundProfile>`
    select * from (
      ${found("users", "user", "username")} union ${found("users", "user", "lower(name)")}
      union ${found("organizations", "organization", "username")}
      union ${found("organizations", "organization", "lower(name)")}
    ) as profiles
    order by username = ${name} desc, lower(name) = ${name} desc, length(name), kind, id`.execute(db);
  return rows;
}
