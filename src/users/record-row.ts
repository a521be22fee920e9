import { invalid } from "../errors.ts";
import { checkEmail, checkName } from "./names.ts";
import { hashPassword, isPassword } from "./password-hash.ts";
import { storedPicture, storedText, storedUrl } from "./profile-fields.ts";
import type { UserRow } from "./queries.ts";
import { givenOf } from "../records/columns.ts";
import { fromIso } from "../records/iso.ts";
import type { UserRecord } from "./record-schema.ts";

/** @throws AppError invalid with the reason why the record can't be imported */
export async function toColumns(fields: UserRecord, existing: UserRow | undefined) {
  return {
    name: checkName(fields.name),
    ...givenOf(fields, {
      email: checkEmail,
      role: String,
      summary: storedText,
      location: storedText,
      website_url: (url) => storedUrl("website_url", url),
      microblog_username: storedText,
      codehost_username: storedText,
      profile_image: storedPicture,
      created_at: fromIso,
      suspended: Boolean,
    }),
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
