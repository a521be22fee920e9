import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Claimed } from "./attempt-queries.ts";
import * as attemptQueries from "./attempt-queries.ts";
import type { Outcome } from "./attempt.ts";
import { claimNext } from "./claiming.ts";
import * as queries from "./queries.ts";
import { isGivenUp, nextAttempt } from "./schedule.ts";
import { disable } from "./standing.ts";

export interface Surroundings {
  now: () => Date;
  random: () => number;
  /** Whether this process has a place for the next one. */
  goesOn: () => boolean;
}

interface Moment {
  now: Date;
  random: () => number;
}

/** What follows from an outcome. */
export interface Noted {
  /** False when the delivery wasn't in the hands of this process any more, so that another's outcome stands. */
  isNoted: boolean;
  /** What the endpoint is sent next. */
  next?: Claimed | undefined;
}

/**
 * Writes down what came of an attempt, and what follows for the endpoint. Of one that works the next delivery
 * is claimed at once, because looking for it among all endpoints costs more.
 * @throws what `isHeld` knows while somebody else holds the endpoint, so that nobody waits for that in here
 */
export function noteOutcome(
  db: Db,
  delivery: Claimed,
  outcome: Outcome,
  { now: clock, random, goesOn }: Surroundings,
): Promise<Noted> {
  const now = clock();
  return inTransaction(db, async (tx) => {
    await attemptQueries.limitWaiting(tx);
    const endpoint = await attemptQueries.lockAtOnce(tx, delivery.endpoint_id);
    if (!endpoint) return { isNoted: false };
    const change = columnsOf(delivery, outcome, { now, random });
    if (!(await attemptQueries.settle(tx, delivery, change))) return { isNoted: false };
    if (outcome.result !== "stopped") await judge(tx, endpoint, outcome, now);
    const isNext = goesOn() && outcome.result === "delivered";
    return { isNoted: true, next: isNext ? await claimNext(tx, endpoint.id, now) : undefined };
  });
}

function columnsOf({ attempts }: Claimed, outcome: Outcome, { now, random }: Moment) {
  const { result, retryAfterMs } = outcome;
  // As if it had never been begun.
  if (result === "stopped") return { attempts: attempts - 1 };
  const noted = {
    response_status: outcome.status,
    response_beginning: outcome.beginning,
    failure: outcome.failure,
    duration_ms: outcome.durationMs,
  };
  const next = result === "failed" ? nextAttempt({ attempts, retryAfterMs, now, random }) : null;
  if (next) return { ...noted, next_attempt_at: next };
  const state = result === "delivered" ? "delivered" : result === "gone" ? "failed" : "exhausted";
  return { ...noted, state, next_attempt_at: null, finished_at: now };
}

const GONE = "It answered with status 410, which says that it wants nothing more.";
const ONLY_FAILED = "Nothing could be delivered to it for five days.";

interface Endpoint {
  id: number;
  failing_since: Date | null;
}

/** An endpoint that has gone, or that nothing reached for days, is sent nothing more. */
async function judge(
  tx: Db,
  { id, failing_since: since }: Endpoint,
  { result }: Outcome,
  now: Date,
): Promise<void> {
  if (result === "delivered") {
    if (since) await queries.update(tx, id, { failing_since: null });
    return;
  }
  if (!since) await queries.update(tx, id, { failing_since: now, attempted_at: now });
  if (result === "gone") await disable(tx, id, GONE, now);
  else if (isGivenUp(since ?? now, now)) await disable(tx, id, ONLY_FAILED, now);
}
