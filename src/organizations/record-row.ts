import { invalid } from "../errors.ts";
import type { OrganizationRecord } from "./record-schema.ts";

/** Somebody who belongs to an organization, as it is stored. */
export interface Member {
  user_id: number;
  role: string;
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
