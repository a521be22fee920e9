import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "./program.ts";

const TIMES = 5;

/** A data directory that the program still has to make, where PostgreSQL can live even if root runs the bench. */
export function newDataDir(): string {
  return join(tmpdir(), `inkstone-bench-${randomUUID().slice(0, 8)}`);
}

/** Milliseconds until a program without any data is ready, median of five. */
export function coldStart(): Promise<number> {
  return medianOf(async () => {
    const dataDir = newDataDir();
    try {
      return await startOnce(dataDir);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}

/** Milliseconds until a program with data is ready, median of five. */
export function warmStart(dataDir: string): Promise<number> {
  return medianOf(() => startOnce(dataDir));
}

async function startOnce(dataDir: string): Promise<number> {
  const { readyMilliseconds, stop } = await serve(dataDir);
  await stop();
  return readyMilliseconds;
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const measured: number[] = [];
  while (measured.length < TIMES) measured.push(await measure());
  return measured.toSorted((one, other) => one - other)[Math.floor(TIMES / 2)] as number;
}
