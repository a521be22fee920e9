import type { Insertable } from "kysely";
import type { Db } from "../db/connect.ts";
import type { ApiKeys } from "../db/tables.ts";
import { invalid } from "../errors.ts";
import { differs, toIso } from "../records/columns.ts";
import { checkDescription, hintOf, keyHash, MAX_KEYS } from "./keys.ts";
import * as queries from "./queries.ts";
import type { KeyRecord, UserRecord } from "./fields.ts";

type Key = Omit<Insertable<ApiKeys>, "user_id">;

export type KnownKeys = Map<string, queries.KeyRow>;

export async function findKnown(tx: Db, records: readonly UserRecord[]): Promise<KnownKeys> {
  const hashes = records.flatMap(({ api_keys = [] }) => api_keys.map(hashOf));
  const rows = await queries.findKeys(
    tx,
    hashes.filter((hash) => hash !== undefined),
  );
  return new Map(rows.map((row) => [row.sha256.toString("hex"), row]));
}

/** @param ownerId of existing keys; undefined for an unknown person */
export function keysOf({ api_keys = [] }: UserRecord, known: KnownKeys, ownerId: number | undefined): Key[] {
  const keys = api_keys.map(toKey);
  for (const { sha256 } of keys) {
    const holder = known.get(sha256.toString("hex"));
    if (holder && holder.user_id !== ownerId)
      throw invalid("one of api_keys already belongs to another person");
  }
  if (new Set(keys.map(({ sha256 }) => sha256.toString("hex"))).size < keys.length) {
    throw invalid("api_keys holds the same key twice");
  }
  return keys;
}

export async function storeKeys(
  tx: Db,
  userId: number,
  keys: readonly Key[],
  known: KnownKeys,
): Promise<boolean> {
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

export function toKeyRecord(row: queries.KeyRow): KeyRecord {
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
