import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Suspended } from "../../http/auth.ts";
import { lockPermissions } from "../../platform/db/locks.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { FieldsError, invalid, notFound } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import { checkLength, createErrors } from "../../platform/fields/fields.ts";
import * as queries from "./queries.ts";
import { howSuspended, type Suspension } from "./suspension.ts";
import type { Role } from "./users.ts";

export interface KeyOwner {
  id: number;
  role: Role;
  keyId: number;
  readOnly: boolean;
}

export interface NewKey {
  userId: number;
  description: string;
  readOnly?: boolean;
  expiresAt?: Date;
}

export const MAX_KEYS = 20;
const MAX_DESCRIPTION = 300;
/** Bounds the hashing of an unknown text. */
const MAX_KEY_LENGTH = 1_000;

/** The key is shown only here. */
export async function create(db: Db, wanted: NewKey, now: Date): Promise<{ id: number; key: string }> {
  const description = checkDescription(wanted.description);
  if (wanted.expiresAt !== undefined && !(wanted.expiresAt > now)) {
    throw new FieldsError({ expires_at: ["must be in the future"] }, "Expires at must be in the future");
  }
  const key = makeKey();
  return inTransaction(db, async (tx) => {
    if (!(await queries.lockUser(tx, wanted.userId))) throw notFound();
    if ((await queries.countKeys(tx, wanted.userId)) >= MAX_KEYS) {
      throw invalid(`There can be at most ${MAX_KEYS} keys per user: remove one first`);
    }
    const id = await queries.insertKey(tx, {
      user_id: wanted.userId,
      sha256: keyHash(key),
      hint: hintOf(key),
      description,
      read_only: wanted.readOnly ?? false,
      expires_at: wanted.expiresAt ?? null,
      created_at: now,
    });
    await events.record(tx, "api_key_created", { user_id: wanted.userId, api_key_id: id });
    return { id, key };
  });
}

/** `hint`: its beginning and end; null for a short imported key. `last_used_at`: to the minute. */
export function list(db: Db, userId: number) {
  return db
    .selectFrom("api_keys")
    .select(["id", "description", "hint", "read_only", "created_at", "last_used_at", "expires_at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

/**
 * Every process refuses it from then on; current writes end first.
 * @throws AppError invalid for an unknown key, and one of another user than the owner
 */
export async function revoke(db: Db, id: number, ownerId?: number) {
  return inTransaction(db, async (tx) => {
    const key = await tx.selectFrom("api_keys").select("user_id").where("id", "=", id).executeTakeFirst();
    const isTheirs = key !== undefined && (ownerId ?? key.user_id) === key.user_id;
    if (isTheirs) await lockPermissions(tx, key.user_id);
    const removed = isTheirs
      ? await tx
          .deleteFrom("api_keys")
          .where("id", "=", id)
          .returning(["id", "user_id", "description"])
          .executeTakeFirst()
      : undefined;
    if (!removed) throw invalid(`There is no key with the id ${id}.`);
    await events.record(tx, "api_key_revoked", { user_id: removed.user_id, api_key_id: id });
    return removed;
  });
}

export async function removeByDescription(db: Db, userId: number, description: string): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockPermissions(tx, userId);
    const { rows } = await sql<{ id: number }>`
      delete from api_keys where user_id = ${userId} and description = ${description} returning id`.execute(
      tx,
    );
    for (const { id } of rows)
      await events.record(tx, "api_key_revoked", { user_id: userId, api_key_id: id });
    return rows.length;
  });
}

export async function authenticate(
  db: Db,
  key: string,
  now: Date,
): Promise<KeyOwner | "expired" | Suspended | undefined> {
  if (!isUsable(key)) return undefined;

  const [found] = await findKey(db, { sha256: keyHash(key) });
  if (found === undefined) return undefined;
  if (found.suspended) return `suspended${howSuspended(found)}`;
  if (found.expires_at && found.expires_at <= now) return "expired";

  // Noted before the transaction.
  if (!db.isTransaction) void noteUse(db, found, now);
  return { id: found.user_id, role: found.role as Role, keyId: found.id, readOnly: found.read_only };
}

interface FoundKey extends Suspension {
  id: number;
  user_id: number;
  read_only: boolean;
  expires_at: Date | null;
  last_used_at: Date | null;
  role: string;
  suspended: boolean;
}

const findKey = prepare<{ sha256: Buffer }, FoundKey>(
  (value) => sql`
    select api_keys.id, user_id, read_only, expires_at, last_used_at, role, suspended,
      suspended_until, suspension_reason
    from api_keys join users on users.id = api_keys.user_id where sha256 = ${value("sha256")}::bytea`,
);

export function checkDescription(text: string): string {
  const description = text.normalize("NFC").trim();
  const errors = createErrors();
  const report = errors.of("description");
  if (description === "") report("can't be blank");
  checkLength(description, MAX_DESCRIPTION, report);
  if (/\p{Cc}/u.test(description)) report("contains a control character: leave it out");
  errors.throwIfAny();
  return description;
}

const COARSE_MS = 60_000;
const waiting = new WeakMap<Db, Map<number, Date>>();

/** Writes the use in the background, on one connection: a lock or a slow disk must not delay reads. */
async function noteUse(db: Db, { id, last_used_at }: { id: number; last_used_at: Date | null }, now: Date) {
  if (last_used_at && last_used_at.getTime() > now.getTime() - COARSE_MS) return;
  const others = waiting.get(db);
  const uses = others ?? new Map<number, Date>();
  uses.set(id, now);
  if (others) return;
  waiting.set(db, uses);
  for (const [each, at] of uses) {
    uses.delete(each);
    await touch(db, each, at).catch(() => {});
  }
  waiting.delete(db);
}

async function touch(db: Db, id: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - COARSE_MS);
  await sql`
    update api_keys set last_used_at = ${now}
    where id = (
      select id from api_keys
      where id = ${id} and (last_used_at is null or last_used_at <= ${before})
      for update skip locked
    )`.execute(db);
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "ink_";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;

/** The prefix, 190 random bits, and a checksum that finds typing errors without a query. */
export function makeKey(): string {
  const characters = Array.from({ length: RANDOM_CHARACTERS }, () => DIGITS.charAt(randomInt(DIGITS.length)));
  const secret = characters.join("");
  return PREFIX + secret + checksum(secret);
}

/** A plain hash is enough for a random text. */
export function keyHash(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

export function hasValidChecksum(text: string): boolean {
  const length = PREFIX.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
  if (text.length !== length || !text.startsWith(PREFIX)) return false;
  const secret = text.slice(PREFIX.length, -CHECKSUM_CHARACTERS);
  return text.slice(-CHECKSUM_CHARACTERS) === checksum(secret);
}

/** Imported keys may have any form, except a broken one of ours. */
export function isUsable(key: string): boolean {
  if (key === "" || key.length > MAX_KEY_LENGTH) return false;
  return !key.startsWith(PREFIX) || hasValidChecksum(key);
}

export function hintOf(key: string): string | null {
  return key.length < 30 ? null : `${key.slice(0, 8)}…${key.slice(-4)}`;
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = "";
  while (rest > 0) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits.padStart(CHECKSUM_CHARACTERS, "0");
}
