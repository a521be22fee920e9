import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AnotherServer, startAnother } from "../../../test/servers.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as counting from "./counting.ts";

let world: World;
let other: AnotherServer;
beforeAll(async () => {
  world = await startWorld();
  other = await startAnother(world);
});
afterAll(async () => {
  await other.stop();
  await world.stop();
});

const folded = async () => {
  const counts = world.db.selectFrom("published_counts").select("delta");
  return (await counts.where("id", "=", "0").executeTakeFirstOrThrow()).delta;
};
const waiting = async () =>
  (await world.db.selectFrom("published_counts").select("id").where("id", ">", "0").execute()).length;

test("published articles are counted at once, and their changes are folded once by processes at the same time", async () => {
  const ada = await world.user();
  for (let n = 0; n < 5; n += 1) await world.article(ada, { slug: `looms-${n}a` });
  await world.article(ada, { slug: "looms-0a", published: false });
  expect(await counting.publishedCount(world.db)).toBe(4);
  await Promise.all([world.db, other.db, world.db].map((db) => counting.addUpChanges(db)));
  expect([await folded(), await waiting(), await counting.publishedCount(world.db)]).toEqual([4, 0, 4]);
  await counting.addUpChanges(world.db);
  expect(await folded()).toBe(4);
});

test("a change that another transaction has not committed stays for later", async () => {
  await world.db.transaction().execute(async (tx) => {
    await counting.apply(tx, { published: 2, tags: new Map() });
    await counting.addUpChanges(other.db);
    expect(await folded()).toBe(4);
  });
  expect([await waiting(), await counting.publishedCount(world.db)]).toEqual([1, 6]);
  await counting.addUpChanges(other.db);
  expect([await waiting(), await folded()]).toEqual([0, 6]);
});

test("two processes that fold different changes at the same moment lose neither", async () => {
  const before = await folded();
  let folding: Promise<number> | undefined;
  await world.db.transaction().execute(async (tx) => {
    await counting.apply(world.db, { published: 1, tags: new Map() });
    await counting.addUpChanges(tx);
    await counting.apply(world.db, { published: 2, tags: new Map() });
    folding = counting.addUpChanges(other.db);
    await setTimeout(100);
  });
  await folding;
  await counting.addUpChanges(other.db);
  expect([await folded(), await waiting()]).toEqual([before + 3, 0]);
});

test("the articles of tags are counted right by many at once", async () => {
  const names = ["a", "b", "c"].map((name) => ({ name }));
  const ids = await world.db.insertInto("tags").values(names).returning("id").execute();
  const counts = async () => {
    const tags = await world.db.selectFrom("tags").select("articles_count").orderBy("name").execute();
    return tags.map(({ articles_count }) => articles_count);
  };
  const change = (deltas: number[]) => ({
    published: 0,
    tags: new Map(ids.map(({ id }, at) => [id, deltas[at] ?? 0])),
  });
  const [forwards, backwards] = [change([1, 1, 1]), change([1, 1, 1])];
  backwards.tags = new Map([...backwards.tags].toReversed());
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      inTransaction(world.db, (tx) => counting.apply(tx, n % 2 ? forwards : backwards)),
    ),
  );
  expect(await counts()).toEqual([40, 40, 40]);
  await counting.apply(world.db, change([-40, 0, 0]));
  expect(await counts()).toEqual([0, 40, 40]);
});
