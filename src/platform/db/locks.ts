import { setTimeout as sleep } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { ClientBase } from "pg";
import type { Db } from "./connect.ts";
import { prepare } from "./prepared.ts";

/** All advisory locks. Numbers are constant, because versions of the program may run together. */
export const LOCKS = {
  /** Guests of an embedded PostgreSQL share it; its owner takes it alone before shutting down. */
  engineGuests: 7_232_018,
  migration: 7_301_946,
  vocabularyRollUp: 7_301_947,
  analyticsRollUp: 7_301_948,
  /** Servers share it while they are connected. */
  programs: 7_301_949,
  podcastAdding: 7_301_951,
  countRollUp: 7_301_953,
  /** One for each user: writes of the user share it; a change of permissions takes it alone. */
  permissions: 7_301_952,
  /** A backup takes it alone: there is one at a time. */
  backup: 7_301_954,
  /** A running backup takes it alone; what may not run beside one shares it, and is left for later. */
  besideBackup: 7_301_955,
  /** People who apply to join take it alone: admins get one mail about several. */
  applications: 7_301_956,
  /** Whoever sets the site up takes it alone: there is one first admin. */
  setUp: 7_301_957,
} as const;

export type LockName = keyof typeof LOCKS;

export async function lock(tx: Db, name: LockName): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS[name]})`.execute(tx);
}

const tryLock = (tx: Db, name: LockName): Promise<boolean> =>
  isTaken(tx, sql`pg_try_advisory_xact_lock(${LOCKS[name]})`);

export const tryLockShared = (tx: Db, name: LockName): Promise<boolean> =>
  isTaken(tx, sql`pg_try_advisory_xact_lock_shared(${LOCKS[name]})`);

/** Pairs of numbers never meet the numbers of `LOCKS`. */
export const tryLockKey = (tx: Db, userId: number, key: string): Promise<boolean> =>
  isTaken(tx, sql`pg_try_advisory_xact_lock(${userId}, hashtext(${key}))`);

async function isTaken(tx: Db, attempt: RawBuilder<boolean>): Promise<boolean> {
  const { taken } = await tx.selectNoFrom(attempt.as("taken")).executeTakeFirstOrThrow();
  return taken;
}

/** Takes the lock in a statement of its own, so that the caller's next one sees what the previous holder changed. */
export async function takeTurn(tx: Db, name: LockName, waits: boolean): Promise<boolean> {
  if (!waits) return tryLock(tx, name);
  await lock(tx, name);
  return true;
}

/** Keeps a user's permissions until the end. Taken before every row lock, so transactions can't deadlock. */
export const lockPermissionsShared = prepare<{ userId: number; timeout: string }, object>(
  (value) => sql`
    select set_config('lock_timeout', ${value("timeout")}::text, true),
      pg_advisory_xact_lock_shared(${sql.lit(LOCKS.permissions)}, ${value("userId")}::int)`,
);

/** Serves a write that takes permissions from its own user: it waits for their other writes. */
export const lockPermissionsAlone = prepare<{ userId: number; timeout: string }, object>(
  (value) => sql`
    select set_config('lock_timeout', ${value("timeout")}::text, true),
      pg_advisory_xact_lock(${sql.lit(LOCKS.permissions)}, ${value("userId")}::int)`,
);

/** Waits for the user's current writes, and makes later ones wait: locks are granted in order. */
export async function lockPermissions(tx: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.permissions}, ${userId})`.execute(tx);
}

/** For long transactions. Has no parameters: `create index concurrently` would wait for their snapshot. */
export const UNLIMITED = sql`
  select set_config(name, '0', true) from pg_settings
  where name in ('idle_in_transaction_session_timeout', 'statement_timeout', 'transaction_timeout')`;

/** Pauses between the attempts differ, so that several processes don't try at the same moments. */
const pauseMs = () => 100 + Math.random() * 100;

/** Holds a lock in a transaction that stays open, because a pooler would keep the lock of a session. */
export async function whileLocked<T>(db: Db, name: LockName, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await ifUnlocked(db, name, work);
    if (done !== undefined) return done.result;
    await sleep(pauseMs());
  }
}

/** Does the same, but returns undefined at once if another process holds the lock. */
export function ifUnlocked<T>(db: Db, name: LockName, work: (holder: Db) => Promise<T>) {
  // Other levels keep a snapshot too.
  const holding = db.transaction().setIsolationLevel("read committed");
  return holding.execute(async (holder) => {
    if (!(await tryLock(holder, name))) return undefined;
    await UNLIMITED.execute(holder);
    return { result: await work(holder) };
  });
}

const SESSION_LOCKS = {
  tryShared: "pg_try_advisory_lock_shared",
  try: "pg_try_advisory_lock",
  wait: "pg_advisory_lock",
};

export async function lockSession(client: ClientBase, name: LockName, mode: keyof typeof SESSION_LOCKS) {
  const call = SESSION_LOCKS[mode];
  const { rows } = await client.query<{ taken: unknown }>(`select ${call}($1) as taken`, [LOCKS[name]]);
  return rows[0]?.taken !== false;
}

/** Whether a server is connected to this database, unless a pooler hides it. Versions before this one lock a pair. */
export async function isProgramConnected(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks
    where locktype = 'advisory' and ${sql.lit(LOCKS.programs)} in (classid, objid)
      and database = (select oid from pg_database where datname = current_database())
    limit 1`.execute(db);
  return rows.length > 0;
}
