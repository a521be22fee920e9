import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { FetchProblem, Postponement } from "./fetch-problem.ts";
import type { Claim } from "./fetches.ts";
import {
  type Fetched,
  failed,
  isCrowdedOut,
  isExplained,
  type Pace,
  PAUSE_SECONDS,
  postponed,
  success,
} from "./outcome.ts";
import * as queries from "./queries.ts";

export interface AttemptOptions extends Pace {
  db: Db;
  now: () => Date;
  leaseSeconds?: number;
  signal?: AbortSignal | undefined;
  /**
   * Fetches one and writes what it brings, or throws a problem whose sentence is recorded. It writes only in a
   * transaction that asks `stillMine`, and unschedules what it need not fetch again.
   */
  handle: (claim: Claim) => Promise<Fetched>;
}

/** The part of its lease after which a fetch is aborted. */
const SIGNAL_AFTER = 0.75;

/** The part after which it counts as failed: before another process may take it. */
const OVER_AFTER = 0.95;

/**
 * Fetches one thing and records the outcome, unless another process has taken over by then.
 * @throws failures for which the other site is not to blame
 */
export async function attempt(leased: queries.Leased, options: AttemptOptions): Promise<void> {
  const { db, now, signal } = options;
  try {
    const fetched = await handled(leased, options);
    await queries.finish(db, leased, success(fetched, now(), options));
  } catch (error) {
    // As if it had not begun, so that another process takes it at once.
    if (signal?.aborted) return await queries.finish(db, leased, {});
    await queries.finish(db, leased, outcomeOf(error, leased, options));
    if (!isExplained(error) && !isCrowdedOut(error)) throw error;
  }
}

function outcomeOf(error: unknown, { failures }: queries.Leased, { now, ...pace }: AttemptOptions) {
  if (isPassing(error) || isCrowdedOut(error)) return postponed(now(), 60);
  if (error instanceof Postponement) return postponed(now(), PAUSE_SECONDS);
  return failed(error, failures + 1, now(), pace);
}

/** The handler's result, or a failure when it doesn't even end when it is aborted. */
async function handled(
  { kind, id, lease, etag, last_modified }: queries.Leased,
  { handle, signal: stop, leaseSeconds = 40 }: AttemptOptions,
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
