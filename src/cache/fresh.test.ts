import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { startWorld, type World } from "../../test/world.ts";
import { inTransaction } from "../db/transaction.ts";
import { createFreshness } from "./fresh.ts";

describe("what is remembered", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  const write = () => inTransaction(world.db, async () => {});

  test("is loaded once by many who ask at once, and again after a write of this process", async () => {
    const fresh = createFreshness([world.db]);
    let loads = 0;
    const load = async () => ++loads;
    expect(await Promise.all([1, 2, 3].map(() => fresh.remember("key", load)))).toEqual([1, 1, 1]);
    await write();
    expect(await fresh.remember("key", load)).toBe(2);
  });

  test("is forgotten within a second, for other processes write too", async () => {
    const fresh = createFreshness([world.db]);
    let loads = 0;
    await fresh.remember("key", async () => ++loads);
    await sleep(950);
    expect(await fresh.remember("key", async () => ++loads)).toBe(2);
  });

  test("isn't what was being loaded while a write ended", async () => {
    const fresh = createFreshness([world.db]);
    let finish: (value: string) => void = () => {};
    const slow = fresh.remember("key", () => new Promise<string>((resolve) => (finish = resolve)));
    await write();
    const after = fresh.remember("key", async () => "new");
    finish("old");
    expect(await slow).toBe("old");
    expect(await after).toBe("new");
    expect(await fresh.remember("key", async () => "newer")).toBe("new");
  });

  test("is no younger than what it was made from", async () => {
    const fresh = createFreshness([world.db]);
    let inner = 0;
    const outer = () => fresh.remember("outer", () => fresh.remember("inner", async () => ++inner));
    await fresh.remember("inner", async () => ++inner);
    await sleep(600);
    expect(await outer()).toBe(1);
    await sleep(400);
    expect(await outer()).toBe(2);
  });

  test("isn't a failure", async () => {
    const fresh = createFreshness([world.db]);
    await expect(fresh.remember("key", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    expect(await fresh.remember("key", async () => "found")).toBe("found");
  });

  test("stays within its memory", async () => {
    const fresh = createFreshness([world.db], 10_000);
    let loads = 0;
    const load = (key: string) =>
      fresh.remember(
        key,
        async () => ++loads,
        () => 4_000,
      );
    for (const key of ["a", "b", "c", "d"]) await load(key);
    await load("a");
    expect(loads).toBe(5);
  });
});
