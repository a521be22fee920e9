import { invalid } from "../errors.ts";
import { checkEmail, checkName } from "./names.ts";
import { hashPassword, isPassword } from "./password-hash.ts";
import { storedPicture, storedText, storedUrl } from "./profile-fields.ts";
import type { UserRow } from "./queries.ts";
import { given } from "../records/columns.ts";
import { fromIso } from "../records/iso.ts";
import type { UserRecord } from "./record-schema.ts";

/** @throws AppError invalid with the reason why the record can't be imported */
export async function toColumns(fields: UserRecord, existing: UserRow | undefined) {
  return {
    name: checkName(fields.name),
    ...given("email", fields.email, checkEmail),
    ...given("role", fields.role, String),
    ...given("summary", fields.summary, storedText),
    ...given("location", fields.location, storedText),
    ...given("website_url", fields.website_url, (url) => storedUrl("website_url", url)),
    ...given("microblog_username", fields.microblog_username, storedText),
    ...given("codehost_username", fields.codehost_username, storedText),
    ...given("profile_image", fields.profile_image, storedPicture),
    ...given("created_at", fields.created_at, fromIso),
    ...given("suspended", fields.suspended, Boolean),
    ...(await passwordOf(fields, existing)),
  };
}

async function passwordOf(
  { password, password_hash }: UserRecord,
  existing: UserRow | undefined,
): Promise<{ password_hash?: string }> {
  if (password !== undefined && password_hash !== undefined) {
    throw invalid("password and password_hash can't both be given: leave one out");
  }
  if (password_hash !== undefined) return { password_hash };
  if (password === undefined) return {};
  // The same password hashed again is another text, and a second import must change nothing.
  const stored = existing?.password_hash;
  if (stored && (await isPassword(password, stored))) return {};
  return { password_hash: await hashPassword(password) };
}
