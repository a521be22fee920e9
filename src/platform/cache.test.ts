import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { clockForEach } from "../../test/waiting.ts";
import type { Db } from "./db/connect.ts";
import { tryLockShared } from "./db/locks.ts";
import { finishedWrites, inTransaction } from "./db/transaction.ts";
import { createResponseCache } from "./cache.ts";
import { worldForAll } from "../../test/world.ts";

describe("what is remembered", () => {
  const clock = clockForEach();
  const world = worldForAll();
  beforeAll(async () => {
    await sql`
      create function add_tag() returns void language sql
      as $$ insert into tags (name) values ('by-function') $$`.execute(world.superuser);
  });
  let names = 0;
  const write = () =>
    inTransaction(world.db, (tx) =>
      tx
        .insertInto("tags")
        .values({ name: `tag${++names}` })
        .execute(),
    );

  test("outlives writes where it is asked to, and not a second", async () => {
    const cache = createResponseCache([world.db]);
    const load = (value: number) => cache.memoize("key", async () => value, { outlivesWrites: true });
    await load(1);
    await write();
    expect([await load(2), cache.get("key", { outlivesWrites: true }), cache.get("key")]).toEqual([
      1,
      1,
      undefined,
    ]);
    clock.pass(950);
    expect(await load(3)).toBe(3);
  });

  test("isn't what was being loaded while a write ended", async () => {
    const cache = createResponseCache([world.db]);
    let finish: (value: string) => void = () => {};
    const slow = cache.memoize("key", () => new Promise<string>((resolve) => (finish = resolve)));
    await write();
    const after = cache.memoize("key", async () => "new");
    finish("old");
    expect(await slow).toBe("old");
    expect(await after).toBe("new");
    expect(await cache.memoize("key", async () => "newer")).toBe("new");
  });

  test("is younger than a second, also where it was made from something else that is cached", async () => {
    const cache = createResponseCache([world.db]);
    const inner = () => cache.memoize("inner", async () => performance.now());
    const outer = () => cache.memoize("outer", inner);
    const ages: number[] = [];
    for (let round = 0; round < 100; round++) {
      ages.push(performance.now() - (await inner()), performance.now() - (await outer()));
      clock.pass(Math.random() * 200);
    }
    expect(Math.max(...ages)).toBeLessThan(1_000);
    expect(Math.max(...ages)).toBeGreaterThan(100);
  });

  test("outlives transactions that change nothing", async () => {
    const untouched: ((tx: Db) => Promise<unknown>)[] = [
      async () => {},
      (tx) => tx.selectFrom("tags").select("id").where("name", "=", "none").forUpdate().execute(),
      (tx) => tryLockShared(tx, "migration"),
      (tx) => sql`set local lock_timeout = '2s'`.execute(tx),
      (tx) => tx.deleteFrom("tags").where("name", "=", "none").execute(),
      (tx) => tx.updateTable("tags").set({ name: "other" }).where("name", "=", "none").execute(),
    ];
    const before = finishedWrites(world.db);
    for (const fn of untouched) await inTransaction(world.db, fn);
    expect(finishedWrites(world.db)).toBe(before);
  });

  test.each<[string, (tx: Db) => Promise<unknown>]>([
    ["an insert", (tx) => tx.insertInto("tags").values({ name: "one" }).execute()],
    ["an update", (tx) => tx.updateTable("tags").set({ name: "two" }).where("name", "=", "one").execute()],
    ["raw SQL", (tx) => sql`delete from tags where name = 'two'`.execute(tx)],
    ["a change in with", (tx) => sql`with i as (insert into tags (name) values ('x')) select 1`.execute(tx)],
    ["a function", (tx) => sql`select add_tag()`.execute(tx)],
    ["a definition", (tx) => sql`create temp table made_by_test (id int)`.execute(tx)],
  ])("doesn't outlive %s", async (_name, fn) => {
    const before = finishedWrites(world.db);
    await inTransaction(world.db, fn);
    expect(finishedWrites(world.db)).toBe(before + 1);
  });

  test("doesn't outlive a transaction that fails, of which it can't be known what it did", async () => {
    const before = finishedWrites(world.db);
    await expect(inTransaction(world.db, () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    expect(finishedWrites(world.db)).toBe(before + 1);
  });

  test("stays within its memory", async () => {
    const cache = createResponseCache([world.db], { maxBytes: 10_000 });
    let loads = 0;
    const load = (key: string) => cache.memoize(key, async () => ++loads, { sizeOf: () => 4_000 });
    for (const key of ["a", "b", "c", "d"]) await load(key);
    await load("a");
    expect(loads).toBe(5);
  });
});
