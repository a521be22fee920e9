import { expressionBuilder, type Selectable, sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { DB, Users } from "../../platform/db/tables.ts";

export const AUTHOR_COLUMNS = [
  "id",
  "name",
  "username",
  "microblog_username",
  "codehost_username",
  "website_url",
  "profile_image",
] as const satisfies (keyof Users)[];

export const PROFILE_COLUMNS = [
  ...AUTHOR_COLUMNS,
  "summary",
  "location",
  "created_at",
] as const satisfies (keyof Users)[];

export type AuthorRow = Pick<Selectable<Users>, (typeof AUTHOR_COLUMNS)[number]>;
export type ProfileRow = Pick<Selectable<Users>, (typeof PROFILE_COLUMNS)[number]>;

export const ROLES = ["member", "moderator", "admin"] as const;
export type Role = (typeof ROLES)[number];

const refTo = (name: string) => sql<number>`${sql.ref(name)}`;

/** The author, and the organization, of a row: its `user` and `organization`. */
export function byline(table: "articles" | "listings") {
  const eb = expressionBuilder<DB>();
  const author = eb
    .selectFrom("users")
    .select(AUTHOR_COLUMNS)
    .where("users.id", "=", refTo(`${table}.author_id`));
  const organization = eb
    .selectFrom("organizations")
    .select(["id", "name", "username", "profile_image"])
    .where("organizations.id", "=", refTo(`${table}.organization_id`));
  return [
    jsonObjectFrom(author).$notNull().as("user"),
    jsonObjectFrom(organization).as("organization"),
  ] as const;
}
