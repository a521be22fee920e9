export interface WakeUp {
  notify(): void;
  /** Also fulfilled by a notification since the last wait. */
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
