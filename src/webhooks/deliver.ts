import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import type { WakeUp } from "../jobs/wake-up.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Net } from "../net/net.ts";
import { attempt, type Outcome } from "./attempt.ts";
import type { Claimed } from "./attempt-queries.ts";
import { claim, type Room } from "./claiming.ts";
import { createNotes } from "./noting.ts";

export interface Delivering {
  db: Db;
  net: Net;
  metrics: Pick<Metrics, "noteDelivery">;
  now: () => Date;
  /** For the jitter. */
  random: () => number;
  signal: AbortSignal;
  /** How long an attempt may take; the usual time when left out. */
  attemptMs?: number;
  /** Says that something has been queued. */
  wakeUp?: Pick<WakeUp, "wait">;
  /** Told of what went wrong with one delivery, while the others go on. */
  onFailure: (error: unknown) => void;
}

/** Attempts of this process at once. They do nothing but wait, so there is room for many. */
const ROOM: Room = { all: 256, failing: 64 };

/** How soon what becomes due is seen while other attempts are under way. */
const LOOK_MS = 250;

/**
 * Sends what is due, and what becomes due meanwhile, until there is nothing more. An endpoint that is slow
 * or dead keeps only its own deliveries waiting. Any number of processes may do so at once.
 */
export async function deliverDue(delivering: Delivering): Promise<void> {
  const { db, now, signal, onFailure } = delivering;
  const running = new Map<Promise<void>, Claimed>();
  // Every attempt listens, and Node would take so many for a leak.
  setMaxListeners(ROOM.all + 1, signal);
  // Those that wait for their endpoint take no place, and there are two of each at most.
  const held = new Set<Claimed>();
  const room = () => roomBeside([...running.values()].filter((delivery) => !held.has(delivery)));
  const note = createNotes({ ...delivering, goesOn: () => !signal.aborted && room().all > 0 });

  async function deliverOn(first: Claimed): Promise<void> {
    for (let delivery: Claimed | undefined = first; delivery;) {
      const outcome = await send(delivery, delivering);
      delivery = (await note({ delivery, outcome, onHeld: () => held.add(first) })).next;
      held.delete(first);
    }
  }

  try {
    while (!signal.aborted) {
      const claimed = await claim(db, room(), now()).catch((error: unknown) => {
        // While others are under way the next look may succeed, and waiting for their end would hold up the rest.
        if (running.size === 0) throw error;
        onFailure(error);
        return [];
      });
      for (const delivery of claimed) {
        const work: Promise<void> = deliverOn(delivery)
          .catch(onFailure)
          .finally(() => {
            running.delete(work);
            held.delete(delivery);
          });
        running.set(work, delivery);
      }
      if (claimed.length > 0) continue;
      if (running.size === 0) return;
      await wait(running.keys(), delivering.wakeUp);
    }
  } finally {
    await Promise.all(running.keys());
  }
}

function roomBeside(all: Claimed[]): Room {
  const failing = all.filter(({ is_failing }) => is_failing);
  return { all: ROOM.all - all.length, failing: ROOM.failing - failing.length };
}

async function send(delivery: Claimed, delivering: Delivering): Promise<Outcome> {
  const outcome = await attemptSafely(delivery, delivering);
  const { result } = outcome;
  if (result !== "stopped") delivering.metrics.noteDelivery(result === "delivered" ? result : "failed");
  return outcome;
}

async function attemptSafely(
  delivery: Claimed,
  { onFailure, ...surroundings }: Delivering,
): Promise<Outcome> {
  try {
    return await attempt(delivery, surroundings);
  } catch (error) {
    // Nobody foresaw it, but it counts: else it would be tried forever.
    onFailure(error);
    const failure = "The request couldn't be made.";
    return { result: "failed", status: null, beginning: null, failure, durationMs: 0 };
  }
}

/** Not until the first of them ends: an outcome claims what comes next itself, and a look costs more. */
async function wait(running: Iterable<Promise<void>>, wakeUp: Delivering["wakeUp"]): Promise<void> {
  const timer = new AbortController();
  const time = sleep(LOOK_MS, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([Promise.all(running), time, ...(wakeUp ? [wakeUp.wait()] : [])]);
  timer.abort();
}
