import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import { FetchProblem } from "./fetch-problem.ts";
import { type Fetched, failed, isExplained, type Pace, success } from "./outcome.ts";
import * as queries from "./queries.ts";

/** What a handler is given: something to fetch, which is this process's own for a while. */
export interface Claim {
  kind: string;
  id: number;
  /** Says which fetch this is; for `stillMine`. */
  lease: string;
  etag: string | undefined;
  lastModified: string | undefined;
  /** Ends what is under way, well before the lease ends. */
  signal: AbortSignal;
}

export interface DueOptions extends Partial<Pace> {
  db: Db;
  kind: string;
  /** Asked anew for each: a round may take long. */
  now: () => Date;
  everySeconds: number;
  /** How many at once. */
  concurrency?: number;
  leaseSeconds?: number;
  /** Only these; it is then over when none of them is due, whoever fetched it. */
  ids?: readonly number[];
  signal?: AbortSignal | undefined;
  /**
   * Fetches one and writes what it holds, or throws a problem whose sentence is recorded. Writes only in a
   * transaction that asks `stillMine`. Whose owner is gone is to be unscheduled.
   */
  handle: (claim: Claim) => Promise<Fetched>;
}

/** The part of its lease after which a fetch is told to end. */
const SIGNAL_AFTER = 0.75;

/** How long a lane without work waits while others have some. */
const PAUSE_MS = 500;

/**
 * Fetches all that is due, several at once, and returns how many. Any number of processes may do so: what one
 * has taken is left alone by the others until it is done or its lease has passed, as that of a killed process does.
 * @throws the first failure that isn't explained by what was fetched, when the others that run are done
 */
export async function fetchDue(options: DueOptions): Promise<number> {
  const round = { running: 0, done: 0, failures: [] as unknown[] };
  await Promise.all(Array.from({ length: options.concurrency ?? 4 }, () => lane(options, round)));
  if (round.failures.length > 0) throw round.failures[0];
  return round.done;
}

/**
 * Whether what this fetch brought may still be written: false when it took so long that somebody else took over,
 * or when it is not wanted any more. Asked in the transaction that writes, after people are held.
 */
export function stillMine(tx: Db, claim: Claim): Promise<boolean> {
  return queries.hold(tx, claim);
}

interface Round {
  running: number;
  done: number;
  failures: unknown[];
}

async function lane(options: DueOptions, round: Round): Promise<void> {
  try {
    while (!options.signal?.aborted && round.failures.length === 0) {
      round.running++;
      const isDone = await fetchOne(options).finally(() => round.running--);
      if (isDone) round.done++;
      else if (round.running > 0 || (await isAnyDue(options))) await pause(options.signal);
      else return;
    }
  } catch (failure) {
    round.failures.push(failure);
  }
}

/** What somebody waits for may be in the hands of another process. */
async function isAnyDue({ db, kind, ids, now }: DueOptions): Promise<boolean> {
  return ids !== undefined && queries.isAnyDue(db, kind, ids, now());
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await sleep(PAUSE_MS, undefined, signal ? { signal } : {}).catch(() => {});
}

async function fetchOne(options: DueOptions): Promise<boolean> {
  const { db, kind, now, ids, leaseSeconds = 40 } = options;
  const leased = await queries.lease(db, kind, { now: now(), ids, seconds: leaseSeconds });
  if (leased === undefined) return false;
  const holder = { kind, id: leased.id, lease: leased.lease };
  const pace = { everySeconds: options.everySeconds, jitter: options.jitter ?? 0.1 };
  try {
    const fetched = await handled(options, { ...leased, kind }, leaseSeconds * 1000);
    await queries.finish(db, holder, success(fetched, now(), pace));
  } catch (error) {
    // Told to stop: as if it had not begun, so that another process takes it at once.
    if (options.signal?.aborted) await queries.finish(db, holder, {});
    else await queries.finish(db, holder, failed(error, leased.failures + 1, now(), pace));
    if (!options.signal?.aborted && !isExplained(error)) throw error;
  }
  return true;
}

/** What the handler answers, or a failure for one that doesn't even end when it is told to. */
async function handled(
  { handle, signal: stop }: DueOptions,
  leased: queries.Leased & { kind: string },
  leaseMs: number,
): Promise<Fetched> {
  const late = AbortSignal.timeout(leaseMs * SIGNAL_AFTER);
  const signal = stop ? AbortSignal.any([stop, late]) : late;
  const over = new AbortController();
  const hanging = sleep(leaseMs, undefined, { signal: over.signal }).then(() => {
    throw new FetchProblem("It took too long.");
  });
  const { kind, id, lease } = leased;
  const claim = {
    kind,
    id,
    lease,
    etag: leased.etag ?? undefined,
    lastModified: leased.last_modified ?? undefined,
  };
  try {
    return await Promise.race([handle({ ...claim, signal }), hanging]);
  } finally {
    over.abort();
    hanging.catch(() => {});
  }
}
