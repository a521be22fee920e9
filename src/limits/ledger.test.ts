import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createChannels } from "../../test/channels.ts";
import { cases } from "../../test/long.ts";
import type { Allowance, Buckets, Taken } from "./buckets.ts";
import { createLedger } from "./ledger.ts";
import { createWorkerBuckets } from "./worker-buckets.ts";

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Decision {
  at: number;
  isAllowed: boolean;
}

/** Workers with a common ledger, and what it and they decided about the requests of one client. */
function createComputer(count: number, delayMs: () => number = () => 0) {
  const serve = createLedger();
  const decisions: Decision[] = [];
  const messages = { toParent: 0 };
  const workers = Array.from({ length: count }, () => {
    const { parent, worker, close } = createChannels(delayMs);
    const answeredAt: number[] = [];
    let decidedAt = 0;
    serve({
      ...worker,
      send(message) {
        answeredAt.push(performance.now());
        worker.send(message);
      },
    });
    const buckets = createWorkerBuckets({
      ...parent,
      send(message) {
        messages.toParent += 1;
        parent.send(message);
      },
      onMessage: (kind, listener) =>
        parent.onMessage(kind, (message) => {
          decidedAt = answeredAt.shift() ?? 0;
          listener(message);
        }),
    });
    return {
      buckets,
      close,
      take(client: string, allowance: Allowance): void {
        const taking = buckets.take(client, allowance);
        if (taking instanceof Promise)
          void taking.then(({ isAllowed }) => decisions.push({ at: decidedAt, isAllowed }));
        else decisions.push({ at: performance.now(), isAllowed: taking.isAllowed });
      },
    };
  });
  return { workers, decisions, messages };
}

type Worker = ReturnType<typeof createComputer>["workers"][number];

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Of fake timers within timers, each takes a millisecond. */
const ROUND_TRIP_MS = 5;

async function settled(taking: Taken | Promise<Taken>): Promise<Taken> {
  await pass(ROUND_TRIP_MS);
  return taking;
}

/** How many of so many requests at once pass. */
async function countPassing(buckets: Buckets, attempts: number, allowance: Allowance): Promise<number> {
  const taken = Array.from({ length: attempts }, () => buckets.take("a", allowance));
  await pass(ROUND_TRIP_MS);
  let passing = 0;
  for (const one of taken) if ((await one).isAllowed) passing += 1;
  return passing;
}

const READS: Allowance = { rate: 10, burst: 160, inPortions: true };
const WRITES: Allowance = { rate: 2, burst: 4 };

/** Rounding of fractions of tokens. */
const EPSILON = 1e-6;

/**
 * Lets one process's bucket follow the decisions. Returns the lowest level at which a request passed, and the longest
 * time for which requests were refused that it would admit.
 */
function compare(decisions: Decision[], { rate, burst }: Allowance) {
  let [level, at, lowest, longestMs] = [burst, 0, burst, 0];
  let refusedSince: number | undefined;
  for (const decision of decisions.toSorted((one, other) => one.at - other.at)) {
    level = Math.min(burst, level + ((decision.at - at) / 1_000) * rate);
    at = decision.at;
    if (decision.isAllowed) {
      lowest = Math.min(lowest, level);
      level -= 1;
      refusedSince = undefined;
    } else if (level >= 1 + EPSILON) {
      refusedSince ??= at;
      longestMs = Math.max(longestMs, at - refusedSince);
    } else refusedSince = undefined;
  }
  return { lowest, longestMs };
}

describe("workers of one computer", () => {
  test("let never more pass than one process, and refuse nothing that it admits for longer than 100 ms", async () => {
    const Request = fc.record({
      afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10 }), fc.integer({ min: 10, max: 60 })),
      worker: fc.nat({ max: 2 }),
      times: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(10, 400)),
    });
    const Rates = fc.record({
      rate: fc.constantFrom(1, 30, 200, 1_000),
      burst: fc.constantFrom(1, 20, 100, 300),
      inPortions: fc.constantFrom(true, true, false),
    });
    const Delays = fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 20 });
    const refusals = { all: 0, passed: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(Request, { minLength: 20, maxLength: 80 }),
        Rates,
        Delays,
        async (requests, allowance, delays) => {
          let turn = 0;
          const { workers, decisions } = createComputer(3, () => delays[turn++ % delays.length] as number);
          for (const { afterMs, worker, times } of requests) {
            if (afterMs > 0) await pass(afterMs);
            for (let time = 0; time < times; time++) workers[worker]?.take("a", allowance);
          }
          await pass(1_000);
          const { lowest, longestMs } = compare(decisions, allowance);
          refusals.passed += decisions.filter(({ isAllowed }) => isAllowed).length;
          refusals.all += decisions.length;
          expect(lowest).toBeGreaterThanOrEqual(1 - EPSILON);
          expect(longestMs).toBeLessThanOrEqual(100);
        },
      ),
      { numRuns: cases(2_000, 60) },
    );
    // Both kinds of decisions were looked at.
    expect(refusals.passed).toBeGreaterThan(1_000);
    expect(refusals.all - refusals.passed).toBeGreaterThan(1_000);
  });

  test("share an allowance of writes exactly", async () => {
    const { workers } = createComputer(2);
    const [one, other] = workers.map(({ buckets }) => buckets) as [Buckets, Buckets];
    expect(await countPassing(one, 3, WRITES)).toBe(3);
    expect(await countPassing(other, 3, WRITES)).toBe(1);
    await pass(1_000);
    expect(await countPassing(one, 3, WRITES)).toBe(2);
    expect(await countPassing(other, 3, WRITES)).toBe(0);
  });

  test("tell what is left as one process does", async () => {
    const { workers } = createComputer(2);
    const [one, other] = workers.map(({ buckets }) => buckets) as [Buckets, Buckets];
    await settled(one.take("a", WRITES));
    expect(await settled(other.take("a", WRITES))).toEqual({
      isAllowed: true,
      remaining: 2,
      resetSeconds: 1,
      retryAfterSeconds: 0,
    });
    await countPassing(one, 2, WRITES);
    expect(await settled(other.take("a", WRITES))).toEqual({
      isAllowed: false,
      remaining: 0,
      resetSeconds: 2,
      retryAfterSeconds: 1,
    });
  });

  test("look without taking", async () => {
    const { workers } = createComputer(1);
    const [one] = workers.map(({ buckets }) => buckets) as [Buckets];
    for (let time = 0; time < 10; time++)
      expect(await settled(one.look("a", WRITES))).toMatchObject({ isAllowed: true });
    expect(await countPassing(one, 10, WRITES)).toBe(4);
    expect(await settled(one.look("a", WRITES))).toMatchObject({ isAllowed: false });
  });

  test("follow an allowance that changes", async () => {
    const { workers } = createComputer(2);
    const [one, other] = workers.map(({ buckets }) => buckets) as [Buckets, Buckets];
    await settled(one.take("a", { rate: 1, burst: 100 }));
    expect(await countPassing(other, 10, WRITES)).toBe(4);
  });

  test("get back within 100 ms what another one holds in advance", async () => {
    const { workers } = createComputer(2);
    const [one, other] = workers.map(({ buckets }) => buckets) as [Buckets, Buckets];
    const slow = { ...READS, rate: 0.001 };
    expect(await countPassing(one, 2, slow)).toBe(2);
    // A sixteenth of 158 is held.
    expect(await countPassing(other, 200, slow)).toBe(160 - 2 - 9);
    await pass(100 - 2 * ROUND_TRIP_MS);
    expect(await countPassing(other, 200, slow)).toBe(9);
  });

  test("get back what a worker held that is gone", async () => {
    const { workers } = createComputer(2);
    const [one, other] = workers as [Worker, Worker];
    const slow = { ...READS, rate: 0.001 };
    await countPassing(one.buckets, 2, slow);
    one.close();
    expect(await countPassing(other.buckets, 200, slow)).toBe(160 - 2);
  });

  test("get no more for what is spent late", async () => {
    const { workers } = createComputer(1);
    const [one] = workers.map(({ buckets }) => buckets) as [Buckets];
    const fast = { ...READS, rate: 200 };
    await countPassing(one, 2, fast);
    await pass(15);
    // Out of the portion, while the rest of the bucket is full.
    expect(await countPassing(one, 9, fast)).toBe(9);
    await pass(5);
    expect(await countPassing(one, 400, fast)).toBeLessThanOrEqual(160 - 9 + 3);
  });

  test("ask once for many requests of a busy client", async () => {
    const { workers, messages } = createComputer(1);
    const [one] = workers.map(({ buckets }) => buckets) as [Buckets];
    const large = { ...READS, rate: 0.001, burst: 100_000 };
    for (let time = 0; time < 100; time++) {
      for (let request = 0; request < 50; request++) void one.take("a", large);
      await pass(1);
    }
    expect(messages.toParent).toBeLessThan(20);
    expect((await settled(one.take("a", large))).remaining).toBe(100_000 - 100 * 50 - 1);
  });

  test("repeat a refusal without asking", async () => {
    const { workers, messages } = createComputer(1);
    const [one] = workers.map(({ buckets }) => buckets) as [Buckets];
    await countPassing(one, 200, { ...READS, rate: 0.001 });
    messages.toParent = 0;
    for (let request = 0; request < 100; request++)
      expect(one.take("a", { ...READS, rate: 0.001 })).toMatchObject({ isAllowed: false });
    expect(messages.toParent).toBe(0);
  });

  test("return the token of a request that cost nothing", async () => {
    const { workers } = createComputer(2);
    const [one, other] = workers.map(({ buckets }) => buckets) as [Buckets, Buckets];
    const small = { ...READS, rate: 0.001, burst: 2 };
    for (let time = 0; time < 10; time++) {
      const taken = await settled(one.take("a", small));
      expect(taken).toMatchObject({ isAllowed: true, remaining: 1 });
      expect(one.giveBack("a", small, taken)).toMatchObject({ remaining: 2, resetSeconds: 0 });
    }
    await pass(100);
    expect(await countPassing(other, 10, small)).toBe(2);
  });
});
