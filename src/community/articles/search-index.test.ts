import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { ArticleRecord } from "./record-columns.ts";
import { search } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as articleRemoval from "./removal.ts";
import * as articleUpkeep from "./upkeep.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

const ada = { username: "ada" };
const put = (slug: string, title: string, fields: Partial<ArticleRecord> = {}) =>
  world.article(ada, { slug, title, description: "In short.", ...fields });
const found = async (q: string) => (await search(world, { q })).titles.toSorted();

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  await world.user(ada);
  await world.articles(
    Array.from({ length: 60 }, (_, index) => ({
      author: "ada",
      title: `Number ${index}`,
      slug: `number-${index}-x`,
      description: "In short.",
      body_markdown: "An article of many.",
      imported_reactions_count: index,
    })),
  );
});

describe("what a search finds as articles come and go", () => {
  test.each([0, 12, 20, 30, 1_000])(
    "is an article as soon as it is published, changed or taken back, at %i reactions",
    async (reactions) => {
      const slug = `comet-${reactions}-x`;
      const fields = { imported_reactions_count: reactions, body_markdown: "It shines." };
      expect(await found("comet")).toEqual([]);
      await put(slug, "A comet", fields);
      expect(await found("comet")).toEqual(["A comet"]);
      await put(slug, "A meteor", { ...fields, body_markdown: "It glows.", tags: ["sky"] });
      expect(await found("comet")).toEqual([]);
      expect(await found("shines")).toEqual([]);
      expect(await found("meteor glows sky")).toEqual(["A meteor"]);
      await put(slug, "A meteor", { ...fields, imported_reactions_count: 25 });
      expect(await found("meteor shines")).toEqual(["A meteor"]);
      expect(await found("sky")).toEqual([]);
      await put(slug, "A meteor", { ...fields, published: false });
      expect(await found("meteor")).toEqual([]);
    },
  );

  test("is a scheduled article from the moment it is due", async () => {
    const due = new Date(NOW.getTime() + 60_000);
    await put("eclipse", "An eclipse", { published_at: due.toISOString() });
    expect(await found("eclipse")).toEqual([]);
    world.setNow(due);
    await articleUpkeep.publishDue(world.db, due);
    expect(await found("eclipse")).toEqual(["An eclipse"]);
  });

  test("is no article that was deleted", async () => {
    const author = await world.user({ username: "passer_by", name: "Passer" });
    await world.article(author, { title: "A nebula" });
    expect(await found("nebula")).toEqual(["A nebula"]);
    await inTransaction(world.db, (tx) => articleRemoval.removeByAuthors(tx, [author.id]));
    expect(await found("nebula")).toEqual([]);
    const { rows } = await sql`
      select from search_rows where article_id not in (select id from articles)`.execute(world.db);
    expect(rows).toEqual([]);
  });
});

describe("the rows of a search", () => {
  test("are made again when other rules or those of a newer version made them, once, and only those", async () => {
    await put("quasar", "A quasar far away", { body_markdown: "It pulsates.", imported_reactions_count: 20 });
    await put("pulsar", "A pulsar", { body_markdown: "It pulsates." });
    const before = await rowsOf(["quasar", "pulsar"]);
    await sql`
      update search_rows set search_version = 0, head = '', words = '', title_key = ''
      where article_id in (select id from articles where slug in ('quasar', 'number-3-x', 'number-59-x'))`.execute(
      world.db,
    );
    expect(await found("pulsates")).toEqual(["A pulsar"]);
    expect(await articleUpkeep.indexAgain(world.db)).toBe(3);
    expect(await found("pulsates")).toEqual(["A pulsar", "A quasar far away"]);
    expect(await found("a QUASAR far away")).toEqual(["A quasar far away"]);
    expect(await rowsOf(["quasar", "pulsar"])).toEqual(before);
    expect(await articleUpkeep.indexAgain(world.db)).toBe(0);
    await sql`
      update search_rows set search_version = 32000, words = ''
      where article_id = (select id from articles where slug = 'quasar')`.execute(world.db);
    expect(await articleUpkeep.indexAgain(world.db)).toBe(1);
    expect((await search(world, { q: "quasar pulsates" })).titles[0]).toBe("A quasar far away");
  });

  test("are found by what they were made of until they are made again", async () => {
    await sql`update search_rows set search_version = 0`.execute(world.db);
    expect(await found("quasar")).toEqual(["A quasar far away"]);
    expect(await articleUpkeep.indexAgain(world.db)).toBeGreaterThan(60);
    expect(await found("quasar")).toEqual(["A quasar far away"]);
  });

  test("that a stopping program leaves are made by the next one", async () => {
    const { signal, abort } = stopper();
    await sql`update search_rows set search_version = 0`.execute(world.db);
    abort();
    const first = await articleUpkeep.indexAgain(world.db, signal);
    const second = await articleUpkeep.indexAgain(world.db);
    const { count } = await world.db
      .selectFrom("search_rows")
      .select((eb) => eb.fn.countAll<string>().as("count"))
      .executeTakeFirstOrThrow();
    expect(first).toBeLessThan(Number(count));
    expect(first + second).toBe(Number(count));
  });
});

function stopper() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** All that is stored for these articles. */
async function rowsOf(slugs: string[]): Promise<object[]> {
  const { rows } = await sql<object>`
    select search_rows.* from search_rows join articles on articles.id = article_id
    where slug = any(${slugs}) order by article_id`.execute(world.db);
  return rows;
}

describe("the setting search_language", () => {
  const inflected = () => search(world, { q: "asteroids" });

  test("takes effect on what is found at once and on rows in the background, and back", async () => {
    await put("asteroid", "A rock", { body_markdown: "One asteroid." });
    await put("asteroids", "Many rocks", { body_markdown: "Two asteroids." });
    expect((await inflected()).titles.toSorted()).toEqual(["A rock", "Many rocks"]);

    await settings.set(world.db, "search_language", "simple");
    expect((await inflected()).titles).toEqual(["Many rocks"]);
    expect(await articleUpkeep.indexAgain(world.db)).toBeGreaterThan(60);
    expect((await inflected()).titles).toEqual(["Many rocks"]);
    expect(await found("asteroid")).toEqual(["A rock", "Many rocks"]);
    expect(await found("asteroid of")).toEqual(["A rock"]);
    expect(await found('"one asteroid"')).toEqual(["A rock"]);

    await settings.set(world.db, "search_language", "english");
    expect((await inflected()).titles).not.toContain("Number 1");
    expect(await articleUpkeep.indexAgain(world.db)).toBeGreaterThan(60);
    expect((await inflected()).titles.toSorted()).toEqual(["A rock", "Many rocks"]);
    expect(await articleUpkeep.indexAgain(world.db)).toBe(0);
  });

  test("leaves rows without stems while it is simple", async () => {
    await settings.set(world.db, "search_language", "simple");
    await put("meteorite", "Stones", { body_markdown: "Several meteorites." });
    expect(await articleUpkeep.indexAgain(world.db)).toBeGreaterThan(60);
    await settings.set(world.db, "search_language", "english");
    const stored = async () => JSON.stringify(await rowsOf(["meteorite"]));
    expect(await stored()).toContain("'meteorites'");
    expect(await stored()).not.toContain("'=meteorit'");
    await articleUpkeep.indexAgain(world.db);
    expect(await stored()).toContain("'=meteorit'");
    expect(await search(world, { q: "meteorite stones" })).toMatchObject({
      titles: ["Stones"],
      match: "exact",
    });
  });
});
