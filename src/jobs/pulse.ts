/** Notices that something has been written to the database, by this process or another. */
export interface Pulse {
  /** How often that was noticed. */
  readonly beats: number;
  /** Looks once. */
  look(): Promise<void>;
  /** Fulfilled once there are more beats than these. */
  beyond(beats: number): Promise<void>;
}

/**
 * @param state what differs after each write, such as PostgreSQL's current snapshot. Where it can't be read, anything
 *   may have been written.
 */
export function createPulse(state: () => Promise<string>): Pulse {
  let beats = 0;
  let last: string | undefined;
  const waiting = new Set<() => void>();
  return {
    get beats() {
      return beats;
    },
    async look() {
      const now = await state().catch(() => undefined);
      if (now !== undefined && now === last) return;
      last = now;
      beats += 1;
      for (const wake of waiting) wake();
      waiting.clear();
    },
    async beyond(seen) {
      if (beats === seen) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  };
}
