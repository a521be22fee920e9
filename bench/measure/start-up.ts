import { setTimeout as sleep } from "node:timers/promises";
import { capture } from "./http.ts";
import { newDataDir } from "./data-dir.ts";
import { cpuOf } from "./processes.ts";
import { type Server, serve } from "./program.ts";

/** Milliseconds until a program without any data is ready, the median. */
export function coldStart(times: number): Promise<number> {
  return medianOf(times, async () => {
    const { path, leave } = newDataDir();
    try {
      return await startOnce(path);
    } finally {
      await leave();
    }
  });
}

/** Milliseconds until a program with data is ready, the median. */
export function warmStart(dataDir: string, times: number): Promise<number> {
  return medianOf(times, () => startOnce(dataDir));
}

async function startOnce(dataDir: string): Promise<number> {
  const { readyMilliseconds, stop } = await serve(dataDir);
  await stop();
  return readyMilliseconds;
}

/** The median of an odd number of measurements. */
export async function medianOf(times: number, measure: () => number | Promise<number>): Promise<number> {
  const measured: number[] = [];
  while (measured.length < times) measured.push(await measure());
  return measured.toSorted((one, other) => one - other)[Math.floor(times / 2)] as number;
}

const EVERY_MS = 500;
/** Of a core, that a server uses which does nothing. */
const AT_REST = 0.1;

/**
 * Asks for a first search and waits until the server has read the articles into memory, which is when it rests; gives
 * the seconds until then.
 */
export async function untilLoaded({ baseUrl, pid }: Server): Promise<number> {
  const startedAt = performance.now();
  await capture(baseUrl, "/api/articles/search?q=the");
  const secondsNow = () => cpuOf(pid).program + cpuOf(pid).database;
  for (let before = -Infinity, now = secondsNow(); now - before > (AT_REST * EVERY_MS) / 1_000;) {
    await sleep(EVERY_MS);
    [before, now] = [now, secondsNow()];
  }
  return (performance.now() - startedAt - EVERY_MS) / 1_000;
}
