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
   * Fetches and stores one resource, or throws a problem for its owner. It writes only in a transaction that asks
   * `stillMine`.
   */
  handle: (claim: Claim) => Promise<Fetched>;
}

/** The part of the lease after which a fetch is aborted. */
const SIGNAL_AFTER = 0.75;

/** The part after which it counts as failed. */
const OVER_AFTER = 0.95;

/**
 * Records nothing if another process has taken over.
 * @throws failures of our own
 */
export async function attempt(leased: queries.Leased, options: AttemptOptions): Promise<void> {
  const { db, now, signal } = options;
  try {
    const fetched = await handled(leased, options);
    await queries.finish(db, leased, success(fetched, now(), options));
  } catch (error) {
    // Releases the lease, so that another process can start at once.
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

/** Also ends when the handler ignores the abort. */
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
