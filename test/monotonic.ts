import { vi } from "vitest";

/** Stops the clock by which answers and settings are kept, for as long as `work` takes, this much later than it is. */
export async function withClockAt<T>(laterMs: number, work: () => Promise<T>): Promise<T> {
  const now = vi.spyOn(performance, "now").mockReturnValue(performance.now() + laterMs);
  try {
    return await work();
  } finally {
    now.mockRestore();
  }
}
