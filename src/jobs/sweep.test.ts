import { expect, test } from "vitest";
import { createNudge } from "./nudge.ts";
import { sweep } from "./sweep.ts";

test("a nudge ends a pause, also one that comes while there is none", async () => {
  const nudge = createNudge();
  let rounds = 0;
  const work = async () => {
    rounds++;
    // Before the first pause has begun.
    if (rounds === 1) nudge.give();
  };
  const sweeping = sweep(3_600_000, work, () => {}, nudge);
  await expect.poll(() => rounds).toBe(2);
  nudge.give();
  await expect.poll(() => rounds).toBe(3);
  await sweeping.stop();
  expect(rounds).toBe(3);
});
