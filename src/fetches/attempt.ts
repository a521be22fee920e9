import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import type { Claim } from "./claim.ts";
import { FetchProblem, Postponement } from "./fetch-problem.ts";
import { PAUSE_SECONDS } from "./fetches.ts";
import { type Fetched, failed, isCrowdedOut, isExplained, type Pace, postponed, success } from "./outcome.ts";
import * as queries from "./queries.ts";

export interface AttemptOptions extends Pace {
  db: Db;
  /** Asked anew each time: a round may take long. */
  now: () => Date;
  leaseSeconds?: number;
  signal?: AbortSignal | undefined;
  /**
   * Fetches one and writes what it brings, or throws a problem whose sentence is recorded. It writes only in a
   * transaction that asks `stillMine`, and unschedules what it need not fetch again.
   */
  handle: (claim: Claim) => Promise<Fetched>;
}

/** The part of its lease after which a fetch is told to end. */
const SIGNAL_AFTER = 0.75;

/** The part after which it is given up: before others may take it. */
const OVER_AFTER = 0.95;

/**
 * Has one thing handled and records what came of it, unless somebody else has taken over by then.
 * @throws failures that what was fetched is not to blame for
 */
export async function attempt(leased: queries.Leased, options: AttemptOptions): Promise<void> {
  const { db, now, signal } = options;
  try {
    const fetched = await handled(leased, options);
    await queries.finish(db, leased, success(fetched, now(), options));
  } catch (error) {
    // Told to stop: as if it had not begun, so that another process takes it at once.
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

/** What the handler answers, or a failure for one that doesn't even end when it is told to. */
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
