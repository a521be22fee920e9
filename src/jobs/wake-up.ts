/** Lets one part of the process wake another, so that work left for it begins at once. */
export interface WakeUp {
  notify(): void;
  /** Fulfilled by the next notification, or at once by one that came since the last wait began. */
  wait(): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let isNotified = false;
  let wake: (() => void) | undefined;
  return {
    notify() {
      isNotified = true;
      wake?.();
    },
    async wait() {
      if (!isNotified) await new Promise<void>((resolve) => (wake = resolve));
      isNotified = false;
    },
  };
}
