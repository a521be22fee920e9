import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { FetchProblem, Postponement } from "./fetch-problem.ts";
import * as fetches from "./fetches.ts";
import type { Fetched, Pace } from "./outcome.ts";
import { failed, isCrowdedOut, isExplained, PAUSE_SECONDS, postponed, success } from "./outcome.ts";

export interface DueOptions extends Pace {
  db: Db;
  kind: string;
  now: () => Date;
  /** Fetches and stores one resource; writes only in a transaction that asks `stillMine`. */
  handle: (claim: fetches.Claim) => Promise<Fetched>;
  concurrency?: number;
  leaseSeconds?: number;
  signal?: AbortSignal | undefined;
  ids?: readonly number[];
}

const LEASE_SECONDS = 40;

/** The part of the lease after which a fetch is aborted. */
const SIGNAL_AFTER = 0.75;

/** The part after which it counts as failed. */
const OVER_AFTER = 0.95;
const PAUSE_MS = 500;

/** Fetches all that is due, and returns the number. @throws the first failure of our own, at the end */
export async function fetchDue(options: DueOptions): Promise<number> {
  const { db, kind, now, ids, signal, leaseSeconds = LEASE_SECONDS, concurrency = 4 } = options;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let done = 0;
  // A failure of our own may repeat with the next fetch.
  const isOver = () => signal?.aborted === true || failures.length > 0;

  async function fill(): Promise<void> {
    while (running.size < concurrency && !isOver()) {
      const leased = await fetches.lease(db, kind, { now: now(), ids, seconds: leaseSeconds });
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
      const isAwaited = !isOver() && ids !== undefined && (await fetches.isAnyDue(db, kind, ids, now()));
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

/** Records nothing if another process has taken over. */
async function attempt(leased: fetches.Leased, options: DueOptions): Promise<void> {
  const { db, now, signal } = options;
  try {
    const fetched = await handled(leased, options);
    await fetches.finish(db, leased, success(fetched, now(), options));
  } catch (error) {
    // Releases the lease, so that another process can start at once.
    if (signal?.aborted) return void (await fetches.finish(db, leased, {}));
    await fetches.finish(db, leased, outcomeOf(error, leased, options));
    if (!isExplained(error) && !isCrowdedOut(error)) throw error;
  }
}

function outcomeOf(error: unknown, { failures }: fetches.Leased, { now, ...pace }: DueOptions) {
  if (isPassing(error) || isCrowdedOut(error)) return postponed(now(), 60);
  if (error instanceof Postponement) return postponed(now(), PAUSE_SECONDS);
  return failed(error, failures + 1, now(), pace);
}

/** Runs the handler, but doesn't wait for one that ignores the abort. */
async function handled(
  { kind, id, lease, etag, last_modified }: fetches.Leased,
  { handle, signal: stop, leaseSeconds = LEASE_SECONDS }: DueOptions,
): Promise<Fetched> {
  const late = AbortSignal.timeout(leaseSeconds * 1000 * SIGNAL_AFTER);
  const signal = stop ? AbortSignal.any([stop, late]) : late;
  const over = new AbortController();
  const hanging = sleep(leaseSeconds * 1000 * OVER_AFTER, undefined, over).then(() => {
    throw new FetchProblem("It took too long.");
  });
  hanging.catch(() => {});
  const known = { etag: etag ?? undefined, lastModified: last_modified ?? undefined };
  try {
    return await Promise.race([handle({ kind, id, lease, ...known, signal }), hanging]);
  } finally {
    over.abort();
  }
}
