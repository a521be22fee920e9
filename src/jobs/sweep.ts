import { setTimeout as sleep } from "node:timers/promises";
import type { Nudge } from "./nudge.ts";
import type { Pulse } from "./pulse.ts";

/** Something that is done again and again until it is stopped. */
export interface Sweep {
  /** Fulfilled when what is being done is finished. */
  stop(): Promise<void>;
}

export interface SweepOptions {
  /** What may take long ends early when its signal says so. A failure waits for the next round. */
  work: (signal: AbortSignal) => Promise<unknown>;
  onFailure: (error: unknown) => void;
  /** The pause between two rounds while there is something to do. */
  pauseMs: number;
  /** Ends the pause. */
  nudge?: Nudge | undefined;
  idle?: Idle | undefined;
}

/** How the pause is extended while nothing is written to the database. */
export interface Idle {
  /** The longest pause: how late work may begin that is due by the clock alone. */
  ms: number | (() => Promise<number>);
  pulse: Pulse;
}

/**
 * Does `work` at once and then with pauses in between. It is for what has its due time in a table, so
 * that nothing depends on a timer that a killed process takes along.
 */
export function sweep({ work, onFailure, pauseMs, nudge, idle }: SweepOptions): Sweep {
  const stopping = new AbortController();
  const { signal } = stopping;
  let wake: (() => void) | undefined;

  async function rest(beats: number, waking: AbortSignal): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { signal: waking, ref: false }).catch(() => {});
    await pause(pauseMs);
    if (waking.aborted || idle === undefined || idle.pulse.beats !== beats) return;
    const { ms } = idle;
    const longest = typeof ms === "number" ? ms : await ms().catch(() => 0);
    if (longest > pauseMs) await Promise.race([pause(longest - pauseMs), idle.pulse.beyond(beats)]);
  }

  async function round(): Promise<void> {
    // Taken first: what is written while the work is under way may need another round.
    const beats = idle?.pulse.beats ?? 0;
    await work(signal).catch(onFailure);
    if (signal.aborted) return;
    const waking = new AbortController();
    wake = () => waking.abort();
    await Promise.race([rest(beats, waking.signal), ...(nudge ? [nudge.wait()] : [])]);
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
