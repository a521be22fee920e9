import { describe, expect, test } from "vitest";
import { createBuckets } from "./buckets.ts";

const ALLOWANCE = { rate: 2, burst: 4 };

function world(maxClients?: number) {
  const clock = { now: 1_000 };
  return { clock, buckets: createBuckets(() => clock.now, maxClients) };
}

function takeAll(buckets: ReturnType<typeof createBuckets>, client: string): number {
  let taken = 0;
  while (buckets.take(client, ALLOWANCE).isAllowed) taken++;
  return taken;
}

describe("a bucket", () => {
  test("gives as many at once as it holds, and then as many as run in", () => {
    const { buckets, clock } = world();
    expect(takeAll(buckets, "a")).toBe(4);
    clock.now += 1_000;
    expect(takeAll(buckets, "a")).toBe(2);
    clock.now += 3_600_000;
    expect(takeAll(buckets, "a")).toBe(4);
  });

  test("that nothing runs into says to come back tomorrow", () => {
    const { buckets } = world();
    expect(buckets.take("a", { rate: 0, burst: 0 })).toMatchObject({
      isAllowed: false,
      retryAfterSeconds: 86_400,
    });
  });
});

test("of more clients than can be remembered, the longest absent are forgotten", () => {
  const { buckets } = world(2);
  takeAll(buckets, "a");
  takeAll(buckets, "b");
  buckets.take("c", ALLOWANCE);
  expect(buckets.take("b", ALLOWANCE).isAllowed).toBe(false);
  expect(buckets.take("a", ALLOWANCE).isAllowed).toBe(true);
});
