import type { Updateable } from "kysely";
import type { Users } from "../db/tables.ts";
import { given } from "../records/columns.ts";
import { checkEmail, checkName } from "./names.ts";
import { checkTexts, storedText, storedUrl } from "./profile-fields.ts";
import { UserRecord } from "./record-schema.ts";

/** A blank text is none. */
export type Profile = Pick<
  UserRecord,
  "name" | "email" | "summary" | "location" | "website_url" | "microblog_username" | "codehost_username"
>;

/** @throws AppError invalid */
export function checkProfile(profile: Partial<Profile>): Updateable<Users> {
  checkTexts(profile, UserRecord.properties);
  return {
    ...given("name", profile.name, checkName),
    ...given("email", profile.email, (email) => (email.trim() === "" ? null : checkEmail(email))),
    ...given("summary", profile.summary, storedText),
    ...given("location", profile.location, storedText),
    ...given("website_url", profile.website_url, (url) => storedUrl("website_url", url)),
    ...given("microblog_username", profile.microblog_username, storedText),
    ...given("codehost_username", profile.codehost_username, storedText),
  };
}
