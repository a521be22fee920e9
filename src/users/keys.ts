import type { Db } from "../db/connect.ts";
import { lockPermissions } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid, notFound } from "../errors.ts";
import * as events from "../events/events.ts";
import { countCharacters } from "../text/characters.ts";
import { hasKeyPrefix, hasValidChecksum, hintOf, keyHash, makeKey } from "./key-text.ts";
import * as queries from "./queries.ts";
import type { Role } from "./users.ts";

export { hasValidChecksum, keyHash, makeKey };

/** Whoever sent a valid key. */
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

/** A key as its owner may see it once it was made. */
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

/** A key that was there a moment ago. */
export interface Revoked {
  id: number;
  user_id: number;
  description: string;
}

export const MAX_KEYS = 20;
const MAX_DESCRIPTION = 300;
/** Longer than any key that could be sent, so that nobody makes the server hash megabytes. */
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

/** What may be told of a person's keys, the oldest first. */
export async function list(db: Db, userId: number): Promise<KeyDescription[]> {
  const rows = await queries.listKeysOf(db, [userId]);
  return rows.map(({ id, description, hint, read_only, created_at, last_used_at, expires_at }) => {
    return { id, description, hint, read_only, created_at, last_used_at, expires_at };
  });
}

/**
 * Takes a key away. No process accepts it from then on; writes under way end first.
 * @throws AppError invalid when there is none with this number
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

/** Takes away a user's keys that carry this description, and says how many there were. */
export async function removeByDescription(db: Db, userId: number, description: string): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockPermissions(tx, userId);
    const ids = await queries.deleteKeys(tx, userId, description);
    for (const id of ids) await events.record(tx, "api_key_revoked", { user_id: userId, api_key_id: id });
    return ids.length;
  });
}

/**
 * The owner of a key, as far as it is valid at this moment: undefined when it is unknown or expired, or its owner is
 * suspended.
 */
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

/** What waits to be written down, by pool. */
const waiting = new WeakMap<Db, Map<number, Use>>();

/**
 * Notes a use of a key in the background. Nobody waits for this and nothing depends on it: a read is
 * served by a database that can't be written, too. It takes one connection at most, because a lock
 * or a slow disk would else keep reads waiting for those that are left.
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
