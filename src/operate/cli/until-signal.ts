import { invalid } from "../../platform/errors.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Aborts the signal of `work` when the process is told to stop, so that it can leave nothing behind.
 * @throws AppError invalid then
 */
export async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const name of SIGNALS) process.once(name, stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    throw stopping.signal.aborted ? invalid("Stopped before the end: nothing is left of it.") : error;
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}
