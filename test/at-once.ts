import { sql } from "kysely";
import { expect } from "vitest";
import type { Db } from "../src/db/connect.ts";

/** More than there are connections, and few enough that none waits for seconds. */
const LANES = 16;

/** Does all of this, as much as possible of it at the same moment. */
export async function atOnce<T>(work: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < work.length; index = next++) {
      results[index] = await (work[index] as () => Promise<T>)();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

/** The same for what may be refused. */
export function settledAtOnce<T>(work: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  return atOnce(work.map((one) => async () => (await Promise.allSettled([one()]))[0]));
}

/** Waits until this many transactions wait for another one. */
export async function untilWaiting(db: Db, number: number): Promise<void> {
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows[0]?.count;
  };
  await expect.poll(count).toBe(number);
}
