import { afterEach, beforeEach, vi } from "vitest";

/** Stops the clock by which answers and settings are kept and rate limits filled up. Returns what moves it on, and starts it. */
function stopClock() {
  let now = performance.now();
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now);
  return {
    pass: (ms: number) => void (now += ms),
    start: () => spy.mockRestore(),
  };
}

/** That clock stands still for as long as `work` takes, which may move it on. */
export async function withClock<T>(work: (pass: (ms: number) => void) => Promise<T>): Promise<T> {
  const { pass, start } = stopClock();
  try {
    return await work(pass);
  } finally {
    start();
  }
}

/** That clock stands still during each test of a file, unless it is moved on. */
export function clockForEach(): { pass: (ms: number) => void } {
  let clock: ReturnType<typeof stopClock>;
  beforeEach(() => {
    clock = stopClock();
  });
  afterEach(() => clock.start());
  return { pass: (ms) => clock.pass(ms) };
}
