import { expect, test } from "vitest";
import { createWakeUp } from "./wake-up.ts";
import { createWriteDetector } from "./write-detector.ts";
import { poll } from "./poll.ts";

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
  let written = 0;
  const detector = createWriteDetector(async () => String(written));
  await detector.check();
  let rounds = 0;
  const work = async () => {
    rounds++;
    if (rounds !== 1) return;
    written++;
    await detector.check();
  };
  const poller = poll({ work, onFailure: () => {}, pauseMs: 1, idle: { ms: 3_600_000, detector } });
  await expect.poll(() => rounds).toBe(2);
  await detector.check();
  expect(rounds).toBe(2);
  written++;
  await detector.check();
  await expect.poll(() => rounds).toBe(3);
  await poller.stop();
});

test("a database that can't be asked may have been written to", async () => {
  const detector = createWriteDetector(() => Promise.reject(new Error("It is away.")));
  await detector.check();
  await detector.check();
  expect(detector.writes).toBe(2);
});
