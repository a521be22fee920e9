import type { Selectable } from "kysely";
import type { Users } from "../db/tables.ts";

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
