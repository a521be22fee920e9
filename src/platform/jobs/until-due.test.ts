import { sql } from "kysely";
import { expect, test } from "vitest";
import { poll, untilDue } from "./poll.ts";
import { worldForAll } from "../../../test/world.ts";

const HOUR_MS = 3_600_000;

const world = worldForAll();

/** Rests for a task that is due in so many milliseconds of the database's clock. */
const restFor = (ms: number | null, begunAt = performance.now()) => {
  const due = sql<Date | null>`(now() + make_interval(secs => ${ms}::float8 / 1000))`;
  const options = { due, clock: "database" as const, leastMs: 5_000 };
  return untilDue({ db: world.db, now: () => new Date() }, options)(begunAt);
};

test("a poller rests until its task is due, a minute at most", async () => {
  expect(await restFor(2_000)).toBe(2_001);
  expect(await restFor(HOUR_MS)).toBe(60_000);
  expect(await restFor(null)).toBe(60_000);
});

test("a poller tries a task again later that it could not do, and at once one that became due since", async () => {
  expect(await restFor(-10_000)).toBe(5_000);
  expect(await restFor(-10_000, performance.now() - 20_000)).toBe(0);
});

test("a task that becomes due within the pause after a round is done after that pause", async () => {
  let rounds = 0;
  let due: Date | null = null;
  const poller = poll({
    async work() {
      rounds++;
      due = rounds === 1 ? new Date(Date.now() + 1) : null;
    },
    onFailure: () => {},
    pauseMs: 100,
    idleMs: (begunAt) =>
      untilDue(
        { db: world.db, now: () => new Date() },
        { due: sql<Date | null>`${due}::timestamptz`, leastMs: HOUR_MS },
      )(begunAt),
  });
  await expect.poll(() => rounds).toBe(2);
  await poller.stop();
});
