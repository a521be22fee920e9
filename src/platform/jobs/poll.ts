import { setTimeout as sleep } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";

export interface PollOptions {
  work: (signal: AbortSignal) => Promise<unknown>;
  onFailure: (error: unknown) => void;
  pauseMs: number;
  /** The pause while nothing is written. A function gets when the last round began, and returns the rest. */
  idleMs?: number | ((begunAt: number) => Promise<number>) | undefined;
  wakeUp?: WakeUp | undefined;
}

/** Repeats work whose due time is in a table: a timer would end with its process. */
export function poll({ work, onFailure, pauseMs, idleMs = pauseMs, wakeUp }: PollOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWritten = false;
  let isIdle = false;
  let wake: (() => void) | undefined;

  async function rest(waking: AbortSignal, begunAt: number): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { signal: waking, ref: false }).catch(() => {});
    await pause(pauseMs);
    if (isWritten || waking.aborted) return;
    const restMs = typeof idleMs === "number" ? idleMs - pauseMs : await idleMs(begunAt).catch(() => 0);
    isIdle = true;
    if (!isWritten && restMs > 0) await pause(restMs);
  }

  async function round(): Promise<void> {
    // Reset before the work begins: a write during it may need another round.
    [isWritten, isIdle] = [false, false];
    const begunAt = performance.now();
    await work(signal).catch(onFailure);
    if (signal.aborted) return;
    const waking = new AbortController();
    wake = () => waking.abort();
    await Promise.race([rest(waking.signal, begunAt), ...(wakeUp ? [wakeUp.wait()] : [])]);
    wake();
  }

  const rounds = (async () => {
    while (!signal.aborted) await round();
  })();
  return {
    noteWrite() {
      isWritten = true;
      if (isIdle) wake?.();
    },
    stop() {
      stopping.abort();
      wake?.();
      return rounds;
    },
  };
}

export interface Due {
  due: RawBuilder<Date | null>;
  /** The clock by which it is due; the program's by default. */
  clock?: "database";
  /** The pause before another try when it is due but can't be done yet: another process has it, for example. */
  leastMs: number;
}

/** A clock that is set, or a computer that wakes up, delays a task by no more. */
const LONGEST_MS = 60_000;

/** How long a poller may rest while nothing is written. */
export function untilDue({ db, now }: { db: Db; now: () => Date }, { due, clock, leastMs }: Due) {
  return async (begunAt: number): Promise<number> => {
    const moment = clock === undefined ? now() : sql`now()`;
    const left = sql<number | null>`(extract(epoch from ${due} - ${moment}::timestamptz) * 1000)::float8`;
    const { ms } = await db.selectNoFrom(left.as("ms")).executeTakeFirstOrThrow();
    if (ms === null) return LONGEST_MS;
    // A task that became due after the last round began hasn't been tried yet.
    if (ms < begunAt - performance.now()) return leastMs;
    // A timer may end a millisecond early.
    return Math.min(LONGEST_MS, Math.max(0, ms + 1));
  };
}

/** The state differs after each write; one that can't be read counts as a write. */
export function detectWrites(state: () => Promise<string>, onWrite: () => void): () => Promise<void> {
  let last: string | undefined;
  return async () => {
    const now = await state().catch(() => undefined);
    if (now !== undefined && now === last) return;
    last = now;
    onWrite();
  };
}

export type WakeUp = ReturnType<typeof createWakeUp>;

export function createWakeUp() {
  let isNotified = false;
  let wake: (() => void) | undefined;
  return {
    notify(): void {
      isNotified = true;
      wake?.();
    },
    /** Waits for a notification; one since the last wait counts too. */
    async wait(): Promise<void> {
      if (!isNotified) await new Promise<void>((resolve) => (wake = resolve));
      isNotified = false;
    },
  };
}
