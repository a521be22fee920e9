import type { Insertable } from "kysely";
import type { Organizations } from "../db/tables.ts";
import { invalid } from "../errors.ts";
import { checkName, checkUsername } from "../users/names.ts";
import { storedPicture, storedText, storedUrl } from "../users/profile-fields.ts";
import { given } from "../records/columns.ts";
import type { OrganizationRecord } from "./record-schema.ts";

/** What a record decides about an organization; what it leaves out stays as the site has it. */
export type Columns = Omit<Insertable<Organizations>, "id">;

/** Somebody who belongs to an organization, as it is stored. */
export interface Member {
  user_id: number;
  role: string;
}

/** @throws AppError invalid with the reason why the record can't be imported */
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

/**
 * The members a record names, or undefined when it says nothing of them.
 * @throws AppError invalid when one of them is unknown or named twice
 */
export function toMembers({ members }: OrganizationRecord, users: Map<string, number>): Member[] | undefined {
  const rows = members?.map(({ username, role }) => {
    const userId = users.get(username.toLowerCase());
    if (userId === undefined) {
      throw invalid(`member ${JSON.stringify(username)} is not a user of the site or of an earlier line`);
    }
    return { user_id: userId, role };
  });
  if (rows && new Set(rows.map(({ user_id }) => user_id)).size < rows.length) {
    throw invalid("members names the same user twice");
  }
  return rows;
}
