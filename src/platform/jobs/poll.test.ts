import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createWakeUp, detectWrites, poll } from "./poll.ts";

test("a wake-up ends a pause, also one that comes while there is none", async () => {
  const wakeUp = createWakeUp();
  let rounds = 0;
  const work = async () => {
    rounds++;
    // Before the first pause has begun.
    if (rounds === 1) wakeUp.notify();
  };
  const poller = poll({ work, onFailure: () => {}, pauseMs: 3_600_000, wakeUp });
  await expect.poll(() => rounds).toBe(2);
  wakeUp.notify();
  await expect.poll(() => rounds).toBe(3);
  await poller.stop();
  expect(rounds).toBe(3);
});

test("a long pause ends with the first write, also one during the round before", async () => {
  let rounds = 0;
  const work = async () => {
    await sleep(1);
    rounds++;
    if (rounds === 1) poller.noteWrite();
  };
  const poller = poll({ work, onFailure: () => {}, pauseMs: 1, idleMs: 3_600_000 });
  await expect.poll(() => rounds).toBe(2);
  await sleep(50);
  expect(rounds).toBe(2);
  poller.noteWrite();
  await expect.poll(() => rounds).toBe(3);
  await poller.stop();
});

test("a write is noted once, and a database that can't be asked may have been written to", async () => {
  const states = ["1", "1", undefined, undefined, "1"];
  let writes = 0;
  const state = async () => states.shift() ?? Promise.reject(new Error("It is away."));
  const detect = detectWrites(state, () => writes++);
  const seen: number[] = [];
  while (states.length > 0) {
    await detect();
    seen.push(writes);
  }
  expect(seen).toEqual([1, 1, 2, 3, 4]);
});
