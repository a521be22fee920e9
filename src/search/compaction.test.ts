import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";
import { compactTiers } from "./bulk.ts";

let world: World;

beforeEach(async () => {
  world = await startWorld();
  await world.user({ username: "ada" });
  await world.articles(
    Array.from({ length: 30 }, (_, index) => ({
      author: "ada",
      title: `Number ${index}`,
      slug: `number-${index}`,
      body_markdown: "Common words.",
    })),
  );
  return () => world.stop();
});

/** Leaves the pages of the first tier nearly empty, as the rows that move out of it do. */
async function spread(): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    for (let round = 0; round < 300; round += 1)
      await sql`update article_search_0 set reactions = reactions`.execute(tx);
  });
}

async function bytes(): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_relation_size('article_search_0')::int as bytes`.execute(world.db);
  return rows[0]?.bytes as number;
}

describe("compaction of the first tiers", () => {
  test(
    "gives back pages that are nearly empty, and every article is still found",
    { timeout: 90_000 },
    async () => {
      await spread();
      expect(await bytes()).toBeGreaterThan(1024 * 1024);
      // PostgreSQL keeps rows for older transactions, those of other tests' databases among them.
      await expect
        .poll(() => compactTiers(world.db).then(bytes), { timeout: 60_000, interval: 500 })
        .toBeLessThan(100_000);
      const { body } = await world.get("/api/articles/search?q=common&per_page=60");
      expect(body).toHaveLength(30);
    },
  );

  test("waits for no one who reads the table", async () => {
    await spread();
    const before = await bytes();
    await world.db.transaction().execute(async (tx) => {
      await sql`select count(*) from article_search_0`.execute(tx);
      await compactTiers(world.db);
    });
    expect(await bytes()).toBe(before);
  });
});
