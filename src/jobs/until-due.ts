import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";

interface Due {
  /** When the next task is due. */
  due: RawBuilder<Date | null>;
  /** The clock by which it is due; the program's by default. */
  clock?: "database";
  /** The pause before another try when it is due but can't be done yet: another process has it, for example. */
  leastMs: number;
}

/** A clock that is set, or a computer that wakes up, delays a task by no more. */
const LONGEST_MS = 60_000;

/** How long a poller may rest while nothing is written. */
export function untilDue({ db, now }: { db: Db; now: () => Date }, { due, clock, leastMs }: Due) {
  return async (begunAt: number): Promise<number> => {
    const moment = clock === undefined ? now() : sql`now()`;
    const left = sql<number | null>`(extract(epoch from ${due} - ${moment}::timestamptz) * 1000)::float8`;
    const { ms } = await db.selectNoFrom(left.as("ms")).executeTakeFirstOrThrow();
    if (ms === null) return LONGEST_MS;
    // A task that became due after the last round began hasn't been tried yet.
    if (ms < begunAt - performance.now()) return leastMs;
    // A timer may end a millisecond early.
    return Math.min(LONGEST_MS, Math.max(0, ms + 1));
  };
}
