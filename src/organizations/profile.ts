import type { Insertable } from "kysely";
import type { Organizations } from "../db/tables.ts";
import { given } from "../records/columns.ts";
import { checkName, checkUsername } from "../users/names.ts";
import { checkTexts, storedPicture, storedText, storedUrl } from "../users/profile-fields.ts";
import { OrganizationRecord } from "./record-schema.ts";

export type Columns = Omit<Insertable<Organizations>, "id">;

/** A blank text is none. */
export type Profile = Omit<OrganizationRecord, "id" | "created_at" | "members">;

/** @throws AppError invalid */
export function checkProfile(profile: Profile): Columns {
  checkTexts(profile, OrganizationRecord.properties);
  // Only the owner of a stored picture may name it.
  if (profile.profile_image !== undefined) storedUrl("profile_image", profile.profile_image);
  return toColumns(profile);
}

/** @throws AppError invalid */
export function toColumns(fields: OrganizationRecord): Columns {
  return {
    username: checkUsername(fields.username),
    name: checkName(fields.name),
    ...given("summary", fields.summary, storedText),
    ...given("location", fields.location, storedText),
    ...given("url", fields.url, (url) => storedUrl("url", url)),
    ...given("microblog_username", fields.microblog_username, storedText),
    ...given("codehost_username", fields.codehost_username, storedText),
    ...given("tech_stack", fields.tech_stack, storedText),
    ...given("tag_line", fields.tag_line, storedText),
    ...given("story", fields.story, storedText),
    ...given("profile_image", fields.profile_image, storedPicture),
    ...given("created_at", fields.created_at, (text) => new Date(text)),
  };
}
