import { addressOf, type Pictured } from "../../content/images/profile-picture.ts";
import { paddedDate } from "../../platform/text/dates.ts";
import type { AuthorRow, ProfileRow } from "./columns.ts";
import type { User } from "./schema.ts";

export function author(row: AuthorRow, baseUrl: string) {
  return {
    name: row.name,
    username: row.username,
    microblog_username: row.microblog_username,
    codehost_username: row.codehost_username,
    user_id: row.id,
    website_url: row.website_url?.trim() || null,
    profile_image: addressOf(pictured(row), 640, baseUrl),
    profile_image_90: addressOf(pictured(row), 90, baseUrl),
  };
}

export function user(row: ProfileRow, baseUrl: string): User {
  return {
    type_of: "user",
    id: row.id,
    username: row.username,
    name: row.name,
    microblog_username: row.microblog_username,
    codehost_username: row.codehost_username,
    summary: row.summary,
    location: row.location,
    website_url: row.website_url?.trim() || null,
    joined_at: paddedDate(row.created_at),
    profile_image: addressOf(pictured(row), 320, baseUrl),
  };
}

function pictured({ id, profile_image }: AuthorRow): Pictured {
  return { kind: "user", id, profile_image };
}
