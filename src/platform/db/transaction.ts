import { setTimeout as sleep } from "node:timers/promises";
import { type KyselyPlugin, sql } from "kysely";
import type { Db } from "./connect.ts";
import { pipelined } from "./pipeline.ts";
import { isRetryable } from "./failures.ts";

const ATTEMPTS = 4;

const writes = new WeakMap<object, number>();
const commits = new WeakMap<object, number>();

type Work<T> = (tx: Db) => Promise<T>;

interface Options {
  /** Whether answers to strangers show nothing of what is written, so that those in memory stay fresh. */
  unseen?: boolean | undefined;
}

/** A deadlock or serialization failure repeats `work`, which must have no effect outside the database. */
export async function inTransaction<T>(db: Db, ...args: [work: Work<T>] | [options: Options, work: Work<T>]) {
  const work = args.length === 1 ? args[0] : args[1];
  const run = args.length === 2 && args[0].unseen === true ? pipelined : runSeen;
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(db, work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(Math.random() * 25 * 2 ** attempt);
    }
  }
}

/** Counts the transaction among the writes of this process, if it may have written. */
async function runSeen<T>(db: Db, work: Work<T>): Promise<T> {
  // A failed transaction may have written too: the connection may break after the commit.
  let hasWritten = true;
  try {
    const result = await pipelined(db, async (tx) => {
      const watch = watchWrites();
      const done = await work(tx.withPlugin(watch.plugin));
      hasWritten = watch.hasSeenOne() || (await hasTransactionId(tx));
      return done;
    });
    if (hasWritten) commits.set(db, performance.now());
    return result;
  } catch (error) {
    hasWritten = true;
    throw error;
  } finally {
    if (hasWritten) writes.set(db, finishedWrites(db) + 1);
  }
}

/** Runs `fn` in a savepoint of a transaction, which goes on from there when it fails. */
export async function inSavepoint<T>(tx: Db, fn: () => Promise<T>): Promise<T> {
  await sql`savepoint inner_work`.execute(tx);
  try {
    const result = await fn();
    await sql`release savepoint inner_work`.execute(tx);
    return result;
  } catch (error) {
    // It fails only with its connection, which is what has failed then.
    await sql`rollback to savepoint inner_work`.execute(tx).catch(() => undefined);
    throw error;
  }
}

/** Runs `fn` within a transaction and undoes all that it has changed there. */
export async function undone<T>(tx: Db, fn: () => Promise<T>): Promise<T> {
  await sql`savepoint trial`.execute(tx);
  const result = await fn();
  await sql`rollback to savepoint trial`.execute(tx);
  return result;
}

/** Grows when a transaction of this process that may have written what strangers see ends. */
export const finishedWrites = (db: Db): number => writes.get(db) ?? 0;

/** When a transaction of this process that has written was last committed. */
export const lastCommit = (db: Db): number => commits.get(db) ?? -Infinity;

/** Lists the transactions that write, so it differs before and after each of them, in whatever process. */
export async function currentSnapshot(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ text: string }>`select pg_current_snapshot()::text as text`.execute(db);
  return rows[0]?.text;
}

function watchWrites(): { plugin: KyselyPlugin; hasSeenOne: () => boolean } {
  let hasSeenOne = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.numAffectedRows !== undefined && result.numAffectedRows > 0n) hasSeenOne = true;
      return result;
    },
  };
  return { plugin, hasSeenOne: () => hasSeenOne };
}

/** The database assigns an id with the first change, also by functions, triggers and `with`. */
async function hasTransactionId(tx: Db): Promise<boolean> {
  try {
    const { rows } = await sql<{ is_given: boolean }>`
      select pg_current_xact_id_if_assigned() is not null as is_given`.execute(tx);
    return rows[0]?.is_given !== false;
  } catch {
    // A failed transaction answers nothing.
    return true;
  }
}
