import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "./connect.ts";
import { isRetryable } from "./failures.ts";

const ATTEMPTS = 4;

/** How many transactions of this process have ended, by pool: what was read before the last one may be old. */
const ended = new WeakMap<object, number>();

/**
 * Runs `fn` in a transaction, or in the one that `db` already is. A deadlock or serialization
 * failure runs it again, up to three times, so `fn` must have no effect outside the database.
 */
export async function inTransaction<T>(db: Db, fn: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(fn);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(Math.random() * 25 * 2 ** attempt);
    } finally {
      // Also after a failure: the connection may have broken after the commit took effect.
      ended.set(db, endedTransactions(db) + 1);
    }
  }
}

/** A number that moves whenever a transaction of this process on this pool has ended. */
export function endedTransactions(db: Db): number {
  return ended.get(db) ?? 0;
}
