/** Wakes whoever waits in the same process, so that work begins at once that another part has just left to be done. */
export interface Nudge {
  give(): void;
  /** Fulfilled by the next nudge, or at once by one that was given since the last wait began. */
  wait(): Promise<void>;
}

export function createNudge(): Nudge {
  let isGiven = false;
  let wake: (() => void) | undefined;
  return {
    give() {
      isGiven = true;
      wake?.();
    },
    async wait() {
      if (!isGiven) await new Promise<void>((resolve) => (wake = resolve));
      isGiven = false;
    },
  };
}
