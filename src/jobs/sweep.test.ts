import { expect, test } from "vitest";
import { createNudge } from "./nudge.ts";
import { createPulse } from "./pulse.ts";
import { sweep } from "./sweep.ts";

test("a nudge ends a pause, also one that comes while there is none", async () => {
  const nudge = createNudge();
  let rounds = 0;
  const work = async () => {
    rounds++;
    // Before the first pause has begun.
    if (rounds === 1) nudge.give();
  };
  const sweeping = sweep({ work, onFailure: () => {}, pauseMs: 3_600_000, nudge });
  await expect.poll(() => rounds).toBe(2);
  nudge.give();
  await expect.poll(() => rounds).toBe(3);
  await sweeping.stop();
  expect(rounds).toBe(3);
});

test("a long pause ends with the first write, also one during the round before", async () => {
  let written = 0;
  const pulse = createPulse(async () => String(written));
  await pulse.look();
  let rounds = 0;
  const work = async () => {
    rounds++;
    if (rounds !== 1) return;
    written++;
    await pulse.look();
  };
  const sweeping = sweep({ work, onFailure: () => {}, pauseMs: 1, idle: { ms: 3_600_000, pulse } });
  await expect.poll(() => rounds).toBe(2);
  await pulse.look();
  expect(rounds).toBe(2);
  written++;
  await pulse.look();
  await expect.poll(() => rounds).toBe(3);
  await sweeping.stop();
});

test("a database that can't be asked may have been written to", async () => {
  const pulse = createPulse(() => Promise.reject(new Error("It is away.")));
  await pulse.look();
  await pulse.look();
  expect(pulse.beats).toBe(2);
});
