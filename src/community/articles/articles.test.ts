import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PUBLISHED_COUNT } from "./counting.ts";
import { worldForAll } from "../../../test/world.ts";
import * as articleRemoval from "./removal.ts";
import * as articleUpkeep from "./upkeep.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

describe("articles as time goes by", () => {
  const ada = { username: "ada" };
  const slugs = async (query = "") =>
    ((await world.get(`/api/articles?${query}`)).body as { slug: string }[]).map(({ slug }) => slug);

  const world = worldForAll({ now: NOW });
  beforeAll(() => world.user(ada));
  beforeEach(() => world.setNow(NOW));

  test("a scheduled article becomes public when it is due, once, however many try", async () => {
    await world.article(ada, { slug: "due", tags: ["clockwork"], published_at: later(10).toISOString() });
    expect(await articleUpkeep.publishDue(world.db, later(9))).toBe(0);
    expect(await slugs("tag=clockwork")).toEqual([]);

    world.setNow(later(10));
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => articleUpkeep.publishDue(world.db, later(10))),
    );

    expect(tries.reduce((sum, published) => sum + published, 0)).toBe(1);
    expect(await slugs("tag=clockwork")).toEqual(["due"]);
    const events = await world.db
      .selectFrom("events")
      .select("type")
      .where("type", "=", "article_published")
      .execute();
    expect(events).toHaveLength(1);
    expect(await world.get("/api/articles/search?q=due")).toMatchObject({ status: 200 });
  });

  test("articles cool down as they age, in their list and in that of their tag", async () => {
    await world.article(ada, {
      slug: "old-but-loved",
      tags: ["heat"],
      published_at: "2025-01-01T00:00:00Z",
      imported_reactions_count: 900,
    });
    await world.article(ada, { slug: "brand-new", tags: ["heat"], published_at: NOW.toISOString() });
    expect(await slugs("tag=heat")).toEqual(["brand-new", "old-but-loved"]);

    expect(await articleUpkeep.refreshHotness(world.db, later(60 * 30))).toBeGreaterThan(0);

    expect(await slugs("tag=heat")).toEqual(["old-but-loved", "brand-new"]);
    expect(await articleUpkeep.refreshHotness(world.db, later(60 * 30))).toBe(0);
    await articleUpkeep.refreshHotness(world.db, later(60 * 24 * 30));
    const { rows } = await sql<{ warm: number }>`
      select count(*)::int as warm from published_articles where hotness <> score`.execute(world.db);
    expect(rows).toEqual([{ warm: 0 }]);
  });

  test("a renamed author is found by the new name, and by the old no more", async () => {
    await world.user({ username: "carla", name: "Carla Oldname" });
    await world.article({ username: "carla" }, { slug: "by-carla" });
    const renamed = await world.user({ username: "carla", name: "Carla Newname" });
    const waiting = await sql<{ payload: object }>`
      select payload from graphile_worker._private_jobs`.execute(world.db);
    expect(waiting.rows).toContainEqual({ payload: { author_id: renamed.id } });

    expect(await articleUpkeep.refreshAll(world.db, { author_id: renamed.id }, NOW)).toBe(1);

    expect((await world.get("/api/articles/search?q=newname")).body).toMatchObject([{ slug: "by-carla" }]);
    expect((await world.get("/api/articles/search?q=oldname")).body).toEqual([]);
  });

  test("a tag that becomes another name of one takes its articles there", async () => {
    await world.article(ada, { slug: "tagged-old", tags: ["zeta", "kohl", "cabbage"] });
    await world.tag({ name: "cabbage" });
    await world.tag({ name: "kohl", alias_for: "cabbage" });

    expect(await articleUpkeep.refreshAll(world.db, { alias: "kohl" }, NOW)).toBe(1);

    expect((await world.get("/api/articles/tagged-old")).body).toMatchObject({ tags: ["zeta", "cabbage"] });
    expect(await slugs("tag=cabbage")).toEqual(["tagged-old"]);
    const counts = await world.db
      .selectFrom("tags")
      .select(["name", "articles_count"])
      .where("name", "in", ["kohl", "cabbage"])
      .orderBy("name")
      .execute();
    expect(counts).toEqual([
      { name: "cabbage", articles_count: 1 },
      { name: "kohl", articles_count: 0 },
    ]);
  });

  test("counters equal rows after publishing, unpublishing and removing", async () => {
    await world.article(ada, { slug: "coming-and-going", tags: ["count"] });
    await world.article(ada, { slug: "staying", tags: ["count"] });
    await world.article(ada, { slug: "coming-and-going", tags: ["count"], published: false });
    const counted = async () => {
      const { rows } = await sql<{ kept: number; real: number; tag: number }>`
        select ${PUBLISHED_COUNT} as kept,
          (select count(*)::int from articles where state = 'published') as real,
          (select articles_count from tags where name = 'count') as tag`.execute(world.db);
      return rows[0];
    };
    expect(await counted()).toMatchObject({ tag: 1 });
    const before = await counted();
    expect(before?.kept).toBe(before?.real);

    const people = await world.db.selectFrom("users").select("id").execute();
    const ids = people.map(({ id }) => id);
    await world.db.transaction().execute((tx) => articleRemoval.removeByAuthors(tx, ids));

    expect(await counted()).toEqual({ kept: 0, real: 0, tag: 0 });
  });
});
