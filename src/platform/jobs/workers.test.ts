import { afterEach, expect, test } from "vitest";
import { createPool } from "./workers.ts";

const pool = createPool<{ work?: number; rest?: number }, string>({
  kind: "thread",
  module: "../test/resting-worker",
  label: "The worker",
  size: 1,
  deadlineMs: 200,
  explain: (error) => error,
});
afterEach(() => pool.close());

test("a thread's deadline counts the time that it works, not the time that it waits for a processor", async () => {
  const ask = (question: { work?: number; rest?: number }) => pool.ask({ key: undefined }, question);
  expect(await ask({ rest: 1_000 })).toBe("done");
  await expect(ask({ work: 20_000 })).rejects.toMatchObject({ name: "WorkerTimeout" });
  expect(await ask({ rest: 1_000 })).toBe("done");
  // Much longer: it hangs, whether the system counts processor time or not.
  await expect(ask({ rest: 100_000 })).rejects.toMatchObject({ name: "WorkerTimeout" });
});
