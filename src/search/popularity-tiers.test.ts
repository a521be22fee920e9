import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cases } from "../../test/long.ts";
import { startWorld, type World } from "../../test/world.ts";
import { lockShared } from "../db/locks.ts";
import { rebalance } from "./popularity-tiers.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
/** Tiers of a few articles, as a big community has them of thousands. */
const ENDS = [8, 24, 48, 80];
const ROUNDS = cases(12, 4);

let world: World;
let serial = 0;

beforeAll(async () => {
  world = await startWorld({ now: NOW });
  await world.user({ username: "ada" });
});
beforeEach(async () => {
  await world.db.deleteFrom("articles").execute();
  await rebalance(world.db, { ends: ENDS });
  serial = 0;
});
afterAll(() => world.stop());

function publish(count: number, reactions: (number: number) => number) {
  return world.articles(
    Array.from({ length: count }, () => {
      const number = ++serial;
      return {
        author: "ada",
        title: `Number ${number}`,
        slug: `number-${number}`,
        body_markdown: "Common words.",
        published_at: new Date(NOW.getTime() - number * 60_000).toISOString(),
        imported_reactions_count: reactions(number),
      };
    }),
  );
}

/** The tiers of all articles, the most popular first. */
async function tiersByPopularity(): Promise<number[]> {
  const rows = await world.db
    .selectFrom("article_search")
    .select("tier")
    .orderBy("reactions", "desc")
    .orderBy("published_at", "desc")
    .orderBy("article_id", "desc")
    .execute();
  return rows.map(({ tier }) => tier);
}

const sizes = (tiers: number[]) =>
  [0, 1, 2, 3, 4].map((tier) => tiers.filter((each) => each === tier).length);
const isSorted = (tiers: number[]) =>
  tiers.every((tier, index) => index === 0 || tier >= (tiers[index - 1] as number));

describe("the tiers of popularity", () => {
  test("get their sizes, the most popular articles in the first, each article moved at most once", async () => {
    await publish(100, (number) => (number * 37) % 11);
    expect(sizes(await tiersByPopularity())).toEqual([100, 0, 0, 0, 0]);
    expect(await rebalance(world.db, { ends: ENDS })).toBe(92);
    const tiers = await tiersByPopularity();
    expect(isSorted(tiers)).toBe(true);
    expect(sizes(tiers)).toEqual([8, 16, 24, 32, 20]);
    expect(await rebalance(world.db, { ends: ENDS })).toBe(0);
  });

  test("take new articles where they belong, and stay as they are while they are about right", async () => {
    await publish(100, () => 0);
    await rebalance(world.db, { ends: ENDS });
    await publish(1, () => 50);
    await publish(1, () => 0);
    const tiers = await tiersByPopularity();
    expect(tiers[0]).toBe(0);
    expect(tiers.at(-1)).toBe(4);
    expect(isSorted(tiers)).toBe(true);
    expect(await rebalance(world.db, { ends: ENDS })).toBe(0);
  });

  test("follow a community that grows at the top and one that shrinks", async () => {
    await publish(40, () => 0);
    await rebalance(world.db, { ends: ENDS });
    await publish(60, (number) => number);
    expect(isSorted(await tiersByPopularity())).toBe(true);
    await rebalance(world.db, { ends: ENDS });
    expect(sizes(await tiersByPopularity())).toEqual([8, 16, 24, 32, 20]);
    await world.db.deleteFrom("published_articles").where("reactions", ">", 20).execute();
    await rebalance(world.db, { ends: ENDS });
    const shrunk = await tiersByPopularity();
    expect(isSorted(shrunk)).toBe(true);
    expect(sizes(shrunk)).toEqual([8, 16, 16, 0, 0]);
    await world.db.deleteFrom("published_articles").execute();
    await rebalance(world.db, { ends: ENDS });
    expect(await world.db.selectFrom("search_tiers").selectAll().execute()).toEqual([]);
  });

  test("are exact at any moment while articles are published and moved at once", async () => {
    await publish(60, () => 0);
    const done = new AbortController();
    const moving = (async () => {
      while (!done.signal.aborted) await rebalance(world.db, { ends: ENDS });
    })();
    const watching = (async () => {
      while (!done.signal.aborted) expect(isSorted(await tiersByPopularity())).toBe(true);
    })();
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all([1, 2, 3].map(() => publish(2, (number) => (number * 7) % 5)));
    }
    done.abort();
    await Promise.all([moving, watching]);
    await rebalance(world.db, { ends: ENDS });
    const tiers = await tiersByPopularity();
    expect(isSorted(tiers)).toBe(true);
    expect(tiers.length).toBe(60 + ROUNDS * 6);
  });

  test("hold what is written while the tiers are being moved back until they are", async () => {
    await publish(30, () => 0);
    await world.db.transaction().execute(async (tx) => {
      await lockShared(tx, "searchTiers");
      expect(await rebalance(world.db, { ends: ENDS })).toBe(0);
    });
    expect(await rebalance(world.db, { ends: ENDS })).toBe(22);
  });
});
