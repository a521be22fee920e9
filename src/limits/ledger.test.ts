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
  /** The ledger's message that it came with, and when it was sent. */
  answer: { at: number; order: number };
  isAllowed: boolean;
}

/** Workers with a common ledger, and what it decided about the requests of one client. */
function createComputer(count: number, delayMs: () => number = () => 0) {
  const serve = createLedger();
  const decisions: Decision[] = [];
  const messages = { toParent: 0, toWorkers: 0 };
  const workers = Array.from({ length: count }, () => {
    const { parent, worker } = createChannels(delayMs);
    const answers: Decision["answer"][] = [];
    let answer: Decision["answer"] = { at: 0, order: 0 };
    serve({
      ...worker,
      send(message) {
        messages.toWorkers += 1;
        answers.push({ at: performance.now(), order: messages.toWorkers });
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
          answer = answers.shift() ?? answer;
          listener(message);
        }),
    });
    return {
      buckets,
      async take(client: string, allowance: Allowance): Promise<void> {
        const { isAllowed } = await buckets.take(client, allowance);
        decisions.push({ answer, isAllowed });
      },
    };
  });
  return { workers, decisions, messages };
}

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

const WRITES: Allowance = { rate: 2, burst: 4 };

/** Rounding of fractions of tokens. */
const EPSILON = 1e-6;

/**
 * Lets one process's bucket follow the decisions. Returns the lowest level at which a request passed, and the highest
 * at which one was refused.
 */
function compare(decisions: Decision[], { rate, burst }: Allowance) {
  let [level, at, lowest, highest] = [burst, 0, burst, 0];
  const ordered = decisions.toSorted((one, other) => one.answer.order - other.answer.order);
  for (const { answer, isAllowed } of ordered) {
    level = Math.min(burst, level + ((answer.at - at) / 1_000) * rate);
    at = answer.at;
    if (isAllowed) {
      lowest = Math.min(lowest, level);
      level -= 1;
    } else highest = Math.max(highest, level);
  }
  return { lowest, highest };
}

describe("workers of one computer", () => {
  test("let those pass that one process would, and no others", async () => {
    const Request = fc.record({
      afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10 }), fc.integer({ min: 10, max: 60 })),
      worker: fc.nat({ max: 2 }),
      times: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(10, 400)),
    });
    const Rates = fc.record({
      rate: fc.constantFrom(1, 30, 200, 1_000),
      burst: fc.constantFrom(1, 20, 100, 300),
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
            for (let time = 0; time < times; time++) void workers[worker]?.take("a", allowance);
          }
          await pass(1_000);
          const { lowest, highest } = compare(decisions, allowance);
          refusals.passed += decisions.filter(({ isAllowed }) => isAllowed).length;
          refusals.all += decisions.length;
          expect(lowest).toBeGreaterThanOrEqual(1 - EPSILON);
          expect(highest).toBeLessThan(1 + EPSILON);
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

  test("ask once for all requests of a turn", async () => {
    const { workers, messages } = createComputer(1);
    const [one] = workers.map(({ buckets }) => buckets) as [Buckets];
    expect(await countPassing(one, 50, WRITES)).toBe(4);
    expect(messages).toEqual({ toParent: 1, toWorkers: 1 });
  });

  test("return the token of a request that cost nothing", async () => {
    const { workers } = createComputer(2);
    const [one, other] = workers.map(({ buckets }) => buckets) as [Buckets, Buckets];
    const small = { rate: 0.001, burst: 2 };
    for (let time = 0; time < 10; time++) {
      const taken = await settled(one.take("a", small));
      expect(taken).toMatchObject({ isAllowed: true, remaining: 1 });
      expect(one.giveBack("a", small, taken)).toMatchObject({ remaining: 2, resetSeconds: 0 });
    }
    await pass(ROUND_TRIP_MS);
    expect(await countPassing(other, 10, small)).toBe(2);
  });
});
