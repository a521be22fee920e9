import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Db } from "../src/platform/db/connect.ts";
import { PATIENCE_MS } from "./setup.ts";

/** Waits until this is true, or is something, which is returned. */
export const until = <T>(isTrue: () => T | Promise<T>, interval = 50) =>
  vi.waitUntil(isTrue, { timeout: PATIENCE_MS, interval });

/** More than there are connections, and few enough that none waits for seconds. */
const LANES = 16;

/** Does all of this, as much as possible of it at the same moment. */
export async function atOnce<T>(work: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < work.length; index = next++) {
      results[index] = await (work[index] as () => Promise<T>)();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

/** The same for what may be refused. */
export function settledAtOnce<T>(work: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  return atOnce(work.map((one) => async () => (await Promise.allSettled([one()]))[0]));
}

/** Waits until this many transactions wait for another one. */
export async function untilWaiting(db: Db, number: number): Promise<void> {
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows[0]?.count;
  };
  await expect.poll(count).toBe(number);
}

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

/**
 * The least processor time of this process that some work takes in five rounds, in microseconds. Other processes don't
 * add to it, but they take the processor's cache, and collections of garbage fall into some rounds.
 */
export async function cpuCost(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const begun = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, user + system);
  }
  return least;
}

/** A port without a listener at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until a program listens there; false when it has ended before that. */
export async function untilListening(port: number, child: ChildProcess): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    if (await isListening(port)) return true;
    await sleep(20);
  }
  return false;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .once("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });
}
