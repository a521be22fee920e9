import { sql } from "kysely";
import type { ClientBase } from "pg";
import type { Db } from "./connect.ts";

/** All advisory locks of the program. A number stays with its lock, because versions of the program may run together. */
export const LOCKS = {
  /** Guests of an embedded PostgreSQL hold it shared, and its owner takes it alone before it shuts down. */
  engineGuests: 7_232_018,
  migration: 7_301_946,
  vocabularyFolding: 7_301_947,
  analyticsFolding: 7_301_948,
  databaseSetup: 7_301_949,
  /** Writers of search rows hold it shared; moving rows between tiers takes it alone. */
  searchTiers: 7_301_950,
  podcastAdding: 7_301_951,
  /** One for each user: the writes of a user share it, and taking permissions away takes it alone. */
  permissions: 7_301_952,
} as const;

export type LockName = keyof typeof LOCKS;

/** Waits for a lock and holds it until the transaction ends. */
export async function lock(tx: Db, name: LockName): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS[name]})`.execute(tx);
}

/** The same, together with other holders that share it. */
export async function lockShared(tx: Db, name: LockName): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${LOCKS[name]})`.execute(tx);
}

/** Takes a lock until the transaction ends, unless another transaction holds it. */
export async function tryLock(tx: Db, name: LockName): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS[name]}) as taken`.execute(tx);
  return rows[0]?.taken === true;
}

/**
 * Takes a lock until the transaction ends: at once or not at all, unless it waits. A statement of its own, so that
 * the next one sees the changes that the holder before has committed.
 */
export async function takeTurn(tx: Db, name: LockName, waits: boolean): Promise<boolean> {
  if (!waits) return tryLock(tx, name);
  await lock(tx, name);
  return true;
}

/** Takes a user's lock of a key until the transaction ends. Pairs of numbers never meet the numbers of `LOCKS`. */
export async function tryLockKey(tx: Db, userId: number, key: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${userId}, hashtext(${key})) as taken`.execute(tx);
  return rows[0]?.taken === true;
}

/**
 * Keeps a user's permissions as they are until the transaction ends, for a write that is judged by them. Taken before
 * every row lock, like its counterpart below, so that the two never wait for each other.
 */
export async function lockPermissionsShared(tx: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${LOCKS.permissions}, ${userId})`.execute(tx);
}

/**
 * Waits for the user's writes that are under way and makes later ones wait until the transaction ends. Advisory locks
 * are granted in the order of the requests, so writing without a pause doesn't put this off.
 */
export async function lockPermissions(tx: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.permissions}, ${userId})`.execute(tx);
}

/** Does `work` on one connection while that holds a lock, across as many transactions as it takes. */
export async function whileLocked<T>(db: Db, name: LockName, work: (session: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (session) => {
    await sql`select pg_advisory_lock(${LOCKS[name]})`.execute(session);
    try {
      return await work(session);
    } finally {
      await sql`select pg_advisory_unlock(${LOCKS[name]})`.execute(session);
    }
  });
}

/** Waits for a lock and holds it until the connection ends. */
export async function lockSession(client: ClientBase, name: LockName): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [LOCKS[name]]);
}

/** Takes a lock until the connection ends, unless another connection holds it in a way that excludes this one. */
export async function tryLockSession(
  client: ClientBase,
  name: LockName,
  mode: "alone" | "shared",
): Promise<boolean> {
  const call = mode === "alone" ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared";
  const { rows } = await client.query<{ taken: boolean }>(`select ${call}($1) as taken`, [LOCKS[name]]);
  return rows[0]?.taken === true;
}
