import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import { checked } from "../fields/fields.ts";
import { enqueue } from "../jobs/queue.ts";
import { fromIso, givenOf, valuesOf } from "../records/columns.ts";
import { recordType } from "../records/driver.ts";
import { inPages } from "../records/pages.ts";
import type { ExportOptions } from "../records/record-type.ts";
import { PICTURE, PROFILE, UserRecord } from "./fields.ts";
import * as handles from "./handles.ts";
import { checkUsername, EMAIL } from "./names.ts";
import { hashPassword, isPassword } from "./password-hash.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { findKnown, keysOf, storeKeys, toKeyRecord } from "./record-keys.ts";
import { explainTaken } from "./users.ts";

export const userRecords = recordType({
  type: "user",
  schema: UserRecord,
  keyOf: ({ username }) => username.toLowerCase(),
  table: "users",
  lookUp: async (tx, records) => {
    const usernames = records.map(({ fields }) => fields.username.toLowerCase());
    return {
      holders: await handles.holdersOf(tx, usernames),
      keys: await findKnown(
        tx,
        records.map(({ fields }) => fields),
      ),
    };
  },
  key: ({ fields }) => ({ username: checkUsername(fields.username) }),
  find: (tx, keys) => queries.findUsers(tx, valuesOf(keys, "username")),
  columns: async ({ fields, known, existing }) => {
    const columns = await toColumns(fields, existing);
    const holder = known.holders.get(fields.username.toLowerCase());
    if (!existing && holder !== undefined) {
      const article = holder === "organization" ? "an" : "a";
      throw invalid(`Username has already been taken by ${article} ${holder}`);
    }
    keysOf(fields, known.keys, existing?.id);
    return columns;
  },
  defaults: (now) => ({ created_at: now, origin: "import" }),
  beforeInsert: (tx, rows) => handles.take(tx, "user", valuesOf(rows, "username")),
  storeParts: (tx, { fields, known, id }) => storeKeys(tx, id, keysOf(fields, known.keys, id), known.keys),
  explain: explainTaken,
  after: async (tx, { changed }) => {
    // Search rows contain the name.
    for (const { before, change } of changed) {
      if (change.name !== undefined) await enqueue(tx, "refresh-articles", { author_id: before.id });
    }
  },
  read,
});

const PAGE = 500;

async function* read(db: Db, { withSecrets }: ExportOptions): AsyncGenerator<object> {
  for await (const users of inPages((after) => queries.listUsersAfter(db, after, PAGE))) {
    const ids = users.map(({ id }) => id);
    const keys = withSecrets ? await queries.listKeysOf(db, ids) : [];
    for (const { password_hash, ...user } of users) {
      const own = keys.filter(({ user_id }) => user_id === user.id);
      yield {
        ...user,
        password_hash: withSecrets ? password_hash : undefined,
        api_keys: own.length > 0 ? own.map(toKeyRecord) : undefined,
      };
    }
  }
}

async function toColumns(fields: UserRecord, existing: UserRow | undefined) {
  return {
    ...checked({ ...PROFILE, email: EMAIL, profile_image: PICTURE }, fields),
    ...givenOf(fields, { role: String, created_at: fromIso, suspended: Boolean }),
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
  // A new hash differs, and a repeated import must change nothing.
  const stored = existing?.password_hash;
  if (stored && (await isPassword(password, stored))) return {};
  return { password_hash: await hashPassword(password) };
}
