import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Db } from "../db/connect.ts";
import { lockPermissions } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid, notFound } from "../errors.ts";
import * as events from "../events/events.ts";
import { countCharacters } from "../text/characters.ts";
import * as queries from "./queries.ts";
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
  /** Never, when left out. */
  expiresAt?: Date;
}

/** A key without its secret. */
export interface KeyDescription {
  id: number;
  description: string;
  /** Its beginning and end; null for one from elsewhere that is too short to tell. */
  hint: string | null;
  read_only: boolean;
  created_at: Date;
  /** To the minute. */
  last_used_at: Date | null;
  expires_at: Date | null;
}

export interface Revoked {
  id: number;
  user_id: number;
  description: string;
}

export const MAX_KEYS = 20;
const MAX_DESCRIPTION = 300;
/** Longer than any key, so that no client makes the server hash megabytes. */
const MAX_KEY_LENGTH = 1_000;

/**
 * Makes a key and returns it; it is shown here and never again.
 * @throws AppError invalid, not_found when there is no such user
 */
export async function create(db: Db, wanted: NewKey, now: Date): Promise<{ id: number; key: string }> {
  const description = checkDescription(wanted.description);
  if (wanted.expiresAt !== undefined && !(wanted.expiresAt > now)) {
    throw invalid("Expires at must be in the future");
  }
  const key = makeKey();
  return inTransaction(db, async (tx) => {
    if ((await queries.lockUsers(tx, [wanted.userId])).length === 0) throw notFound();
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

export async function list(db: Db, userId: number): Promise<KeyDescription[]> {
  const rows = await queries.listKeysOf(db, [userId]);
  return rows.map(({ id, description, hint, read_only, created_at, last_used_at, expires_at }) => {
    return { id, description, hint, read_only, created_at, last_used_at, expires_at };
  });
}

/**
 * Removes a key. Every process refuses it from then on; writes under way end first. @throws AppError invalid
 * for an unknown id
 */
export async function revoke(db: Db, id: number): Promise<Revoked> {
  return inTransaction(db, async (tx) => {
    const ownerId = await queries.findKeyOwner(tx, id);
    if (ownerId !== undefined) await lockPermissions(tx, ownerId);
    const removed = await queries.deleteKey(tx, id);
    if (!removed) throw invalid(`There is no key with the id ${id}.`);
    await events.record(tx, "api_key_revoked", { user_id: removed.user_id, api_key_id: id });
    return { id, user_id: removed.user_id, description: removed.description };
  });
}

/** Removes a user's keys with this description, and returns their number. */
export async function removeByDescription(db: Db, userId: number, description: string): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockPermissions(tx, userId);
    const ids = await queries.deleteKeys(tx, userId, description);
    for (const id of ids) await events.record(tx, "api_key_revoked", { user_id: userId, api_key_id: id });
    return ids.length;
  });
}

/** The owner of a valid key; undefined for an unknown or expired key, or a suspended owner. */
export async function authenticate(db: Db, key: string, now: Date): Promise<KeyOwner | undefined> {
  if (key === "" || key.length > MAX_KEY_LENGTH) return undefined;
  if (hasKeyPrefix(key) && !hasValidChecksum(key)) return undefined;

  const found = await queries.findKey(db, keyHash(key));
  if (!found || found.suspended || (found.expires_at && found.expires_at <= now)) return undefined;

  // A write asks again in its transaction, when the use is noted already.
  if (!db.isTransaction) rememberUse(db, found, now);
  return { id: found.user_id, role: found.role as Role, keyId: found.id, readOnly: found.read_only };
}

const COARSE_MS = 60_000;

function rememberUse(db: Db, key: { id: number; last_used_at: Date | null }, now: Date): void {
  const before = new Date(now.getTime() - COARSE_MS);
  if (key.last_used_at && key.last_used_at > before) return;
  noteUse(db, { id: key.id, now, before });
}

/** @throws AppError invalid */
export function checkDescription(text: string): string {
  const description = text.normalize("NFC").trim();
  if (description === "") throw invalid("Description can't be blank");
  if (countCharacters(description) > MAX_DESCRIPTION) {
    throw invalid(`Description is too long (maximum is ${MAX_DESCRIPTION} characters)`);
  }
  if (/\p{Cc}/u.test(description)) throw invalid("Description contains a control character: leave it out");
  return description;
}

/** A use of a key that is noted unless another one was since `before`. */
interface Use {
  id: number;
  now: Date;
  before: Date;
}

const waiting = new WeakMap<Db, Map<number, Use>>();

/**
 * Notes a use of a key in the background, on one connection at most: a lock or a slow disk must not delay
 * reads, which also a database that can't be written serves.
 */
function noteUse(db: Db, use: Use): void {
  const uses = waiting.get(db);
  if (uses) {
    uses.set(use.id, use);
    return;
  }
  const first = new Map([[use.id, use]]);
  waiting.set(db, first);
  void writeAll(db, first);
}

async function writeAll(db: Db, uses: Map<number, Use>): Promise<void> {
  // Also goes through what comes meanwhile.
  for (const [id, use] of uses) {
    uses.delete(id);
    await queries.touchKey(db, use).catch(() => {});
  }
  waiting.delete(db);
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "ink_";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;

/** A new key: the prefix, 190 random bits, and a checksum that finds typing errors without a query. */
export function makeKey(): string {
  const secret = randomCharacters(RANDOM_CHARACTERS);
  return PREFIX + secret + checksum(secret);
}

/** The stored form of a key. A plain hash is enough for a text that can't be guessed. */
export function keyHash(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Whether the text claims to be a key of this server; keys brought from elsewhere look otherwise. */
function hasKeyPrefix(text: string): boolean {
  return text.startsWith(PREFIX);
}

export function hasValidChecksum(text: string): boolean {
  const length = PREFIX.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
  if (text.length !== length || !hasKeyPrefix(text)) return false;
  const secret = text.slice(PREFIX.length, -CHECKSUM_CHARACTERS);
  return text.slice(-CHECKSUM_CHARACTERS) === checksum(secret);
}

/** Beginning and end of a key, or null for one so short that they would give it away. */
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

function randomCharacters(count: number): string {
  // Bytes above the largest multiple of 62 are thrown away, else the first digits would be likelier.
  const usable = 256 - (256 % DIGITS.length);
  let characters = "";
  while (characters.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < usable && characters.length < count) characters += DIGITS.charAt(byte % DIGITS.length);
    }
  }
  return characters;
}
