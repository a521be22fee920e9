import type { Insertable } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { differs, valuesOf } from "../../platform/db/rows.ts";
import type { ApiKeys } from "../../platform/db/tables.ts";
import { invalid } from "../../platform/errors.ts";
import { checked } from "../../platform/fields/fields.ts";
import { enqueue } from "../../platform/jobs/queue.ts";
import { fromIso, givenOf, recordType, toIso } from "../records/driver.ts";
import { inPages } from "../records/pages.ts";
import type { ExportOptions } from "../records/record-type.ts";
import { mergedAccounts } from "./directory.ts";
import { type KeyRecord, PICTURE, PROFILE, UserRecord } from "./fields.ts";
import * as handles from "./handles.ts";
import { checkDescription, hintOf, isUsable, keyHash, MAX_KEYS } from "./keys.ts";
import { checkUsername, EMAIL } from "./names.ts";
import { checkPassword, hashPassword } from "./password-hash.ts";
import * as queries from "./queries.ts";
import * as factors from "./second-factor.ts";
import type { UserRow } from "./queries.ts";
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
      merged: await mergedAccounts(tx, usernames),
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
      const username = fields.username.toLowerCase();
      const heir = known.merged.get(username);
      if (heir !== undefined)
        throw invalid(
          `${username} was merged into ${heir}: name ${heir} in the file, or leave the record out`,
        );
      const article = holder === "organization" ? "an" : "a";
      throw invalid(`Username has already been taken by ${article} ${holder}`);
    }
    keysOf(fields, known.keys, existing?.id);
    return columns;
  },
  defaults: (now) => ({ created_at: now, origin: "import" }),
  beforeInsert: (tx, rows) => handles.take(tx, "user", valuesOf(rows, "username")),
  storeParts: async (tx, { fields, known, id }, { now }) => {
    const isOtherSecret =
      fields.totp_secret !== undefined && (await factors.storeSecret(tx, id, fields.totp_secret, now));
    return (await storeKeys(tx, id, keysOf(fields, known.keys, id), known.keys)) || isOtherSecret;
  },
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
    const secrets = withSecrets ? await factors.secretsOf(db, ids) : undefined;
    for (const { password_hash, ...user } of users) {
      const own = keys.filter(({ user_id }) => user_id === user.id);
      yield {
        ...user,
        password_hash: withSecrets ? password_hash : undefined,
        totp_secret: secrets?.get(user.id),
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
  if (stored && (await checkPassword(password, stored)).isRight) return {};
  return { password_hash: await hashPassword(password) };
}

type Key = Omit<Insertable<ApiKeys>, "user_id">;

type KnownKeys = Map<string, queries.KeyRow>;

async function findKnown(tx: Db, records: readonly UserRecord[]): Promise<KnownKeys> {
  const hashes = records.flatMap(({ api_keys = [] }) => api_keys.map(hashOf));
  const rows = await queries.findKeys(
    tx,
    hashes.filter((hash) => hash !== undefined),
  );
  return new Map(rows.map((row) => [row.sha256.toString("hex"), row]));
}

/** @param ownerId of existing keys; undefined for an unknown person */
function keysOf({ api_keys = [] }: UserRecord, known: KnownKeys, ownerId: number | undefined): Key[] {
  const keys = api_keys.map(toKey);
  for (const { sha256 } of keys) {
    const holder = known.get(sha256.toString("hex"));
    if (holder && holder.user_id !== ownerId)
      throw invalid("one of api_keys already belongs to another user");
  }
  if (new Set(keys.map(({ sha256 }) => sha256.toString("hex"))).size < keys.length) {
    throw invalid("api_keys holds the same key twice");
  }
  return keys;
}

async function storeKeys(tx: Db, userId: number, keys: readonly Key[], known: KnownKeys): Promise<boolean> {
  let changed = false;
  for (const key of keys) {
    const existing = known.get(key.sha256.toString("hex"));
    const { description, read_only, expires_at } = key;
    const change = { description, read_only, expires_at };
    if (existing && !differs(existing, change)) continue;
    if (existing) await queries.updateKey(tx, existing.id, change);
    else await queries.insertKey(tx, { ...key, user_id: userId });
    changed = true;
  }
  if (changed && (await queries.countKeys(tx, userId)) > MAX_KEYS) {
    throw invalid(
      `api_keys: there can be at most ${MAX_KEYS} keys per user, with those the site has already`,
    );
  }
  return changed;
}

function toKeyRecord(row: queries.KeyRow): KeyRecord {
  return {
    sha256: row.sha256.toString("hex"),
    description: row.description,
    ...(row.read_only && { read_only: true }),
    ...(row.expires_at && { expires_at: toIso(row.expires_at) }),
  };
}

function toKey(record: KeyRecord): Key {
  const sha256 = hashOf(record);
  if (!sha256 || (record.key !== undefined && record.sha256 !== undefined)) {
    throw invalid("each of api_keys must have either key or sha256");
  }
  if (record.key !== undefined && !isUsable(record.key))
    throw invalid(
      "one of api_keys begins with ink_ but isn't a whole key of Inkstone: correct it, or leave it out and make a new one",
    );
  return {
    sha256,
    ...(record.key !== undefined && { hint: hintOf(record.key) }),
    description: checkDescription(record.description),
    read_only: record.read_only ?? false,
    expires_at: record.expires_at === undefined ? null : new Date(record.expires_at),
  };
}

function hashOf({ key, sha256 }: KeyRecord): Buffer | undefined {
  if (key !== undefined) return keyHash(key);
  return sha256 === undefined ? undefined : Buffer.from(sha256, "hex");
}
