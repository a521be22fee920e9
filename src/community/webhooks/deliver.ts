import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { createFairQueue } from "../../platform/fair-queue.ts";
import type { WakeUp } from "../../platform/jobs/poll.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Net } from "../../platform/net/net.ts";
import * as queries from "./attempt-queries.ts";
import type { Claimed } from "./attempt-queries.ts";
import { attempt, nextAttempt, type Outcome } from "./attempt.ts";
import { noteResult } from "./endpoint-state.ts";
import * as endpointQueries from "./queries.ts";

export interface Delivering {
  db: Db;
  net: Net;
  metrics: Pick<Metrics, "noteDelivery">;
  now: () => Date;
  random: () => number;
  signal: AbortSignal;
  attemptMs?: number;
  /** Notified when deliveries have been queued. */
  wakeUp?: Pick<WakeUp, "wait">;
  /** Gets the failure of one delivery, while the others go on. */
  onFailure: (error: unknown) => void;
}

/** Attempts that a process may begin, and those of them for endpoints whose last attempt has failed. */
const CAPACITY = { all: 256, failing: 64 };
type Capacity = typeof CAPACITY;

/** How soon a delivery that becomes due is seen while attempts are under way. */
const LOOK_MS = 250;

/**
 * Sends the deliveries that are due, and those that become due meanwhile, until none is left. An endpoint that is slow
 * or dead delays only its own deliveries. Several processes may do so at once.
 */
export async function deliverDue(delivering: Delivering): Promise<void> {
  const { db, now, signal, onFailure, wakeUp } = delivering;
  const running = new Map<Promise<void>, Claimed>();
  // Every attempt listens, and Node would report a leak.
  setMaxListeners(CAPACITY.all + 1, signal);
  const capacity = (): Capacity => {
    const failing = [...running.values()].filter(({ is_failing }) => is_failing);
    return { all: CAPACITY.all - running.size, failing: CAPACITY.failing - failing.length };
  };
  const wantsNext = () => !signal.aborted && capacity().all > 0;
  // One at a time, so that many at the same moment leave connections to other work.
  const recording = createFairQueue({ size: 1 });

  async function deliverOn(first: Claimed): Promise<void> {
    for (let delivery: Claimed | undefined = first; delivery;) {
      const sent: Sent = { delivery, outcome: await send(delivery, delivering) };
      const record = () => recordOutcome(db, sent, { ...delivering, wantsNext });
      const { next }: { next?: Claimed | undefined } = await recording.run({ key: undefined }, record);
      delivery = next;
    }
  }

  try {
    while (!signal.aborted) {
      // An attempt that ends during this look may leave a delivery that the look hasn't seen.
      const wasIdle = running.size === 0;
      const claimed = await claim(db, capacity(), now()).catch((error: unknown) => {
        // The next look may succeed while attempts are under way.
        if (wasIdle) throw error;
        onFailure(error);
        return [];
      });
      for (const delivery of claimed) {
        const work: Promise<void> = deliverOn(delivery)
          .catch(onFailure)
          .finally(() => running.delete(work));
        running.set(work, delivery);
      }
      if (claimed.length > 0) continue;
      if (wasIdle) return;
      // Waits until all have ended: an outcome claims the next delivery itself, which costs less than a look.
      const all = Promise.all(running.keys());
      await Promise.race([all, sleep(LOOK_MS), ...(wakeUp ? [wakeUp.wait()] : [])]);
    }
  } finally {
    await Promise.all(running.keys());
  }
}

/** Claims one due delivery of each endpoint. Those of a process that has died are due when their lease ends. */
export async function claim(db: Db, capacity: Capacity, now: Date): Promise<Claimed[]> {
  if (capacity.all <= 0) return [];
  const found = await queries.findReady(db, now);
  if (found.length === 0) return [];
  const idsOf = (failing: boolean) =>
    found.filter(({ is_failing }) => is_failing === failing).map(({ id }) => id);
  // The lease comes in another statement than the lock, to see the claims made before.
  return inTransaction(db, { unseen: true }, async (tx) => {
    const limit = Math.max(0, Math.min(capacity.failing, capacity.all));
    const failing = await queries.lockFree(tx, idsOf(true), limit);
    const working = await queries.lockFree(tx, idsOf(false), capacity.all - failing.length);
    const ids = [...failing, ...working];
    if (ids.length === 0) return [];
    const claimed = await queries.lease(tx, ids, now);
    if (failing.length > 0) await queries.noteTurn(tx, failing, now);
    return claimed;
  });
}

async function send(delivery: Claimed, { onFailure, metrics, ...options }: Delivering): Promise<Outcome> {
  const outcome = await attempt(delivery, options).catch((error: unknown): Outcome => {
    // A bug counts as an attempt too, or it would be repeated forever.
    onFailure(error);
    const failure = "The request couldn't be made.";
    return { result: "failed", status: null, beginning: null, failure, durationMs: 0 };
  });
  const { result } = outcome;
  if (result !== "stopped") metrics.noteDelivery(result === "delivered" ? result : "failed");
  return outcome;
}

interface Sent {
  delivery: Claimed;
  outcome: Outcome;
}

/**
 * Records the outcome of an attempt and the state of the endpoint that follows from it, unless the lease has ended and
 * another process has the delivery. The next delivery of an endpoint that works is claimed at once, because looking
 * for it among all endpoints costs more.
 * @param wantsNext whether this process can send the endpoint's next delivery
 */
export function recordOutcome(
  db: Db,
  { delivery, outcome }: Sent,
  { now: clock, random, wantsNext }: Pick<Delivering, "now" | "random"> & { wantsNext: () => boolean },
): Promise<{ isRecorded: boolean; next?: Claimed | undefined }> {
  const now = clock();
  return inTransaction(db, { unseen: true }, async (tx) => {
    const endpoint = await endpointQueries.lock(tx, delivery.endpoint_id);
    if (!endpoint) return { isRecorded: false };
    const change = columnsOf(delivery, outcome, { now, random });
    if (!(await queries.leases.finish(tx, delivery, change))) return { isRecorded: false };
    await noteResult(tx, endpoint, outcome.result, now);
    if (outcome.result !== "delivered" || !wantsNext()) return { isRecorded: true };
    const [next] = await queries.lease(tx, [endpoint.id], now);
    return { isRecorded: true, next };
  });
}

function columnsOf(
  { attempts }: Claimed,
  outcome: Outcome,
  { now, random }: { now: Date; random: () => number },
) {
  const { result, retryAfterMs } = outcome;
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
