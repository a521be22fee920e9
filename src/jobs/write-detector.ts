/**
 * @param state differs after each write, such as PostgreSQL's current snapshot. A state that can't be read counts as
 *   a write.
 */
export function createWriteDetector(state: () => Promise<string>) {
  let writes = 0;
  let last: string | undefined;
  const waiting = new Set<() => void>();
  return {
    get writes() {
      return writes;
    },
    async check() {
      const now = await state().catch(() => undefined);
      if (now !== undefined && now === last) return;
      last = now;
      writes += 1;
      for (const wake of waiting) wake();
      waiting.clear();
    },
    async exceeds(seen: number) {
      if (writes === seen) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  };
}

export type WriteDetector = ReturnType<typeof createWriteDetector>;
