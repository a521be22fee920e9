import { setTimeout as sleep } from "node:timers/promises";
import { type AttemptOptions, attempt } from "./attempt.ts";
import * as queries from "./queries.ts";

export interface DueOptions extends AttemptOptions {
  kind: string;
  concurrency?: number;
  /** Fetches only these, and ends when none of them is due. */
  ids?: readonly number[];
}

const PAUSE_MS = 500;

/**
 * Fetches all that is due, and returns the number. Several processes share the work by leases.
 * @throws the first failure of our own, after the running fetches
 */
export async function fetchDue(options: DueOptions): Promise<number> {
  const { db, kind, now, ids, signal, leaseSeconds = 40, concurrency = 4 } = options;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let done = 0;
  // A failure of our own may repeat with the next fetch.
  const isOver = () => signal?.aborted === true || failures.length > 0;

  async function fill(): Promise<void> {
    while (running.size < concurrency && !isOver()) {
      const leased = await queries.lease(db, kind, { now: now(), ids, seconds: leaseSeconds });
      if (leased === undefined) return;
      const run = attempt(leased, options)
        .then(() => void (done += 1))
        .catch((failure: unknown) => void failures.push(failure))
        .finally(() => running.delete(run));
      running.add(run);
    }
  }

  try {
    for (;;) {
      await fill();
      const isAwaited = !isOver() && ids !== undefined && (await queries.isAnyDue(db, kind, ids, now()));
      if (running.size === 0 && !isAwaited) break;
      const waiting = new AbortController();
      await Promise.race([...running, sleep(PAUSE_MS, undefined, waiting).catch(() => {})]);
      waiting.abort();
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
