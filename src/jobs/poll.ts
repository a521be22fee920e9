import { setTimeout as sleep } from "node:timers/promises";
import type { WakeUp } from "./wake-up.ts";
import type { WriteDetector } from "./write-detector.ts";

export interface Poller {
  stop(): Promise<void>;
}

export interface PollOptions {
  work: (signal: AbortSignal) => Promise<unknown>;
  onFailure: (error: unknown) => void;
  pauseMs: number;
  wakeUp?: WakeUp | undefined;
  idle?: Idle | undefined;
}

export interface Idle {
  /** Work may be due by the clock alone. */
  ms: number | (() => Promise<number>);
  detector: WriteDetector;
}

/** For work whose due time is in a table: a timer would end with its process. */
export function poll({ work, onFailure, pauseMs, wakeUp, idle }: PollOptions): Poller {
  const stopping = new AbortController();
  const { signal } = stopping;
  let wake: (() => void) | undefined;

  async function rest(writes: number, waking: AbortSignal): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { signal: waking, ref: false }).catch(() => {});
    await pause(pauseMs);
    if (waking.aborted || idle === undefined || idle.detector.writes !== writes) return;
    const { ms } = idle;
    const longest = typeof ms === "number" ? ms : await ms().catch(() => 0);
    if (longest > pauseMs) await Promise.race([pause(longest - pauseMs), idle.detector.exceeds(writes)]);
  }

  async function round(): Promise<void> {
    // Read first: a write during the work may need another round.
    const writes = idle?.detector.writes ?? 0;
    await work(signal).catch(onFailure);
    if (signal.aborted) return;
    const waking = new AbortController();
    wake = () => waking.abort();
    await Promise.race([rest(writes, waking.signal), ...(wakeUp ? [wakeUp.wait()] : [])]);
    wake();
  }

  const rounds = (async () => {
    while (!signal.aborted) await round();
  })();
  return {
    stop() {
      stopping.abort();
      wake?.();
      return rounds;
    },
  };
}
