import { isDeepStrictEqual } from "node:util";
import type { Db } from "../../platform/db/connect.ts";
import { valuesOf } from "../../platform/db/rows.ts";
import { invalid } from "../../platform/errors.ts";
import { checked } from "../../platform/fields/fields.ts";
import { enqueue } from "../../platform/jobs/queue.ts";
import { fromIso, givenOf, recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
import { PICTURE } from "../users/fields.ts";
import * as handles from "../users/handles.ts";
import { checkUsername } from "../users/names.ts";
import * as users from "../users/users.ts";
import { FIELDS, OrganizationRecord } from "./fields.ts";
import * as queries from "./queries.ts";

export const organizationRecords = recordType({
  type: "organization",
  schema: OrganizationRecord,
  keyOf: ({ username }) => username.toLowerCase(),
  table: "organizations",
  lookUp: async (tx, records) => {
    const usernames = records.map(({ fields }) => fields.username.toLowerCase());
    const members = records.flatMap(({ fields }) => fields.members ?? []);
    return {
      holders: await handles.holdersOf(tx, usernames),
      users: await users.idsByUsername(
        tx,
        members.map(({ username }) => username),
      ),
    };
  },
  key: ({ fields }) => ({ username: checkUsername(fields.username) }),
  find: (tx, keys) => queries.findOrganizations(tx, valuesOf(keys, "username")),
  columns: ({ fields, known, existing }) => {
    const values = checked({ ...FIELDS, profile_image: PICTURE }, fields);
    const holder = known.holders.get(fields.username.toLowerCase());
    if (!existing && holder !== undefined) throw invalid(`Username has already been taken by a ${holder}`);
    toMembers(fields, known.users);
    return { ...values, ...givenOf(fields, { created_at: fromIso }) };
  },
  defaults: (now) => ({ created_at: now }),
  beforeInsert: (tx, rows) => handles.take(tx, "organization", valuesOf(rows, "username")),
  storeParts: (tx, { fields, known, id }) => storeMembers(tx, id, toMembers(fields, known.users)),
  after: async (tx, { changed }) => {
    // Search rows contain the name.
    for (const { before, change } of changed) {
      if (change.name !== undefined) await enqueue(tx, "refresh-articles", { organization_id: before.id });
    }
  },
  read: byId(queries.listAfter),
});

async function storeMembers(tx: Db, id: number, members: Member[] | undefined): Promise<boolean> {
  if (!members) return false;
  const before = await queries.listMembers(tx, [id]);
  if (isDeepStrictEqual(rolesOf(before), rolesOf(members))) return false;
  await queries.replaceMembers(tx, id, members);
  return true;
}

function rolesOf(members: Member[]): Map<number, string> {
  return new Map(members.map(({ user_id, role }) => [user_id, role]));
}

export interface Member {
  user_id: number;
  role: string;
}

/**
 * Undefined when the record names none.
 * @throws AppError invalid for unknown or repeated users
 */
function toMembers({ members }: OrganizationRecord, users: Map<string, number>): Member[] | undefined {
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
