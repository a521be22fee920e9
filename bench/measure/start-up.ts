import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "./program.ts";

/** A data directory that the program still has to make, where PostgreSQL can live even if root runs the bench. */
export function newDataDir(): string {
  return join(tmpdir(), `inkstone-bench-${randomUUID().slice(0, 8)}`);
}

/** Milliseconds until a program without any data is ready, the median. */
export function coldStart(times: number): Promise<number> {
  return medianOf(times, async () => {
    const dataDir = newDataDir();
    try {
      return await startOnce(dataDir);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
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
