import { setTimeout as sleep } from "node:timers/promises";
import type { Nudge } from "./nudge.ts";

/** Something that is done again and again until it is stopped. */
export interface Sweep {
  /** Fulfilled when what is being done is finished. */
  stop(): Promise<void>;
}

/**
 * Does `work` at once and then with pauses in between. It is for what has its due time in a table, so
 * that nothing depends on a timer that a killed process takes along; a failure waits for the next round.
 * Work that may take long ends early when its signal says so. A nudge ends a pause.
 */
export function sweep(
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  onFailure: (error: unknown) => void,
  nudge?: Nudge,
): Sweep {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rounds = (async () => {
    while (!signal.aborted) {
      await work(signal).catch(onFailure);
      const pause = sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      await (nudge ? Promise.race([pause, nudge.wait()]) : pause);
    }
  })();
  return {
    stop() {
      stopping.abort();
      return rounds;
    },
  };
}
