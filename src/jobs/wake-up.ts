export type WakeUp = ReturnType<typeof createWakeUp>;

export function createWakeUp() {
  let isNotified = false;
  let wake: (() => void) | undefined;
  return {
    notify(): void {
      isNotified = true;
      wake?.();
    },
    /** Also fulfilled by a notification since the last wait. */
    async wait(): Promise<void> {
      if (!isNotified) await new Promise<void>((resolve) => (wake = resolve));
      isNotified = false;
    },
  };
}
