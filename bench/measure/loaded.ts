import { setTimeout as sleep } from "node:timers/promises";
import { capture } from "./capture.ts";
import type { Server } from "./compare.ts";
import { cpuOf } from "./processes.ts";

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
  for (let before = -Infinity, now = secondsOf(pid); now - before > (AT_REST * EVERY_MS) / 1_000;) {
    await sleep(EVERY_MS);
    [before, now] = [now, secondsOf(pid)];
  }
  return (performance.now() - startedAt - EVERY_MS) / 1_000;
}

function secondsOf(pid: number): number {
  const { program, database } = cpuOf(pid);
  return program + database;
}
