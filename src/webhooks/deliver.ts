import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Net } from "../net/net.ts";
import { createTurns } from "../turns.ts";
import { attempt, type Outcome } from "./attempt.ts";
import type { Claimed } from "./attempt-queries.ts";
import { claim, type Room } from "./claiming.ts";
import { noteOutcome } from "./outcomes.ts";

export interface Delivering {
  db: Db;
  net: Net;
  metrics: Pick<Metrics, "noteDelivery">;
  now: () => Date;
  /** For the jitter. */
  random: () => number;
  signal: AbortSignal;
  /** Told of what went wrong with one delivery, while the others go on. */
  onFailure: (error: unknown) => void;
}

/** Attempts of this process at once. They do nothing but wait, so there is room for many. */
const ROOM: Room = { all: 256, failing: 64 };

/** How soon what becomes due is seen while other attempts are under way. */
const LOOK_MS = 500;

/**
 * Sends what is due, and what becomes due meanwhile, until there is nothing more. An endpoint that is slow
 * or dead keeps only its own deliveries waiting. Any number of processes may do so at once.
 */
export async function deliverDue(delivering: Delivering): Promise<void> {
  const { db, now, signal, onFailure } = delivering;
  const running = new Map<Promise<void>, Claimed>();
  // Every attempt listens, and Node would take so many for a leak.
  setMaxListeners(ROOM.all + 1, signal);
  // One at a time, so that many outcomes at the same moment leave the other work its connections.
  const notes = createTurns({ size: 1, queue: ROOM.all });
  const goesOn = () => !signal.aborted && running.size < ROOM.all;
  const note = (delivery: Claimed, outcome: Outcome) =>
    notes.take({ lane: undefined }, () => noteOutcome(db, delivery, outcome, { ...delivering, goesOn }));

  async function deliverOn(first: Claimed): Promise<void> {
    for (let delivery: Claimed | undefined = first; delivery;) {
      const outcome = await send(delivery, delivering);
      delivery = (await note(delivery, outcome)).next;
    }
  }

  try {
    while (!signal.aborted) {
      const claimed = await claim(db, roomBeside(running.values()), now()).catch((error: unknown) => {
        // While others are under way the next look may succeed, and waiting for their end would hold up the rest.
        if (running.size === 0) throw error;
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
      if (running.size === 0) return;
      await raceWithTime(running.keys());
    }
  } finally {
    await Promise.all(running.keys());
  }
}

function roomBeside(running: Iterable<Claimed>): Room {
  const all = [...running];
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

async function raceWithTime(running: Iterable<Promise<void>>): Promise<void> {
  const timer = new AbortController();
  const time = sleep(LOOK_MS, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([...running, time]);
  timer.abort();
}
