import { existsSync } from "node:fs";
import { publishedCount } from "../../community/articles/counting.ts";
import { operator } from "../../http/actor.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseForAll, databaseForEach, type OwnDatabase } from "../../../test/own-database.ts";
import { locate } from "../../platform/program-files.ts";
import * as settings from "../../platform/settings/settings.ts";
import { createRenderPool } from "../../content/text/render-pool.ts";
import * as keys from "../../community/users/keys.ts";
import * as users from "../../community/users/users.ts";
import { readDemo, toArticle } from "./content.ts";
import * as demo from "./demo.ts";
import * as demoKeys from "./key.ts";

const SITE = "https://ink.example";
const NOW = new Date("2026-03-02T09:15:00Z");
const renderPool = createRenderPool();
afterAll(() => renderPool.close());

const AROUND = { now: NOW, baseUrl: SITE };
const recordsOf = async (wanted: string) => (await readDemo(AROUND)).filter(({ type }) => type === wanted);

function demoIn(database: OwnDatabase) {
  const load = () => demo.load(database.db, { renderPool, ...AROUND });
  const rowsOf = async () => {
    const names = [
      "users",
      "handles",
      "organizations",
      "tags",
      "articles",
      "published_articles",
      "demo_rows",
      "follows",
      "reactions",
      "comments",
      "listings",
      "podcasts",
      "podcast_episodes",
      "fetches",
      "page_views",
      "settings",
    ] as const;
    const tables = await Promise.all(
      names.map(async (table) => [table, await database.db.selectFrom(table).selectAll().execute()] as const),
    );
    return { rows: new Map(tables), published: await publishedCount(database.db) };
  };
  return { load, rowsOf };
}

describe("the demo, when it is loaded,", () => {
  const database = databaseForAll();
  const { load, rowsOf } = demoIn(database);
  let tally: demo.DemoTally | undefined;
  beforeAll(async () => {
    tally = await load();
  });

  test("brings people, organizations, tags and articles, dated back from now", async () => {
    const articles = await recordsOf("article");
    expect(tally).toEqual({
      users: (await recordsOf("user")).length,
      organizations: (await recordsOf("organization")).length,
      tags: (await recordsOf("tag")).length,
      articles: articles.length,
    });
    const drafts = articles.filter(({ published }) => published === false);
    expect(drafts.length).toBeGreaterThan(0);
    const { rows, published } = await rowsOf();
    expect(published).toBe(articles.length - drafts.length);
    expect(rows.get("published_articles")).toHaveLength(published);
    const newest = await database.db
      .selectFrom("articles")
      .select(({ fn }) => fn.max("published_at").as("date"))
      .executeTakeFirst();
    expect(NOW.getTime() - (newest?.date?.getTime() ?? 0)).toBeLessThan(86_400_000);
    expect(rows.get("listings")).toHaveLength((await recordsOf("listing")).length);
    expect(rows.get("podcast_episodes")).toHaveLength(3);
    // The demo fetches nothing from elsewhere.
    expect(rows.get("fetches")).toEqual([]);
    const views = await recordsOf("page_view");
    expect(rows.get("page_views")).toHaveLength(views.length);
    expect(views.length).toBeGreaterThan(500);
  });

  test("asks nothing of other hosts: its pictures and recordings are the site's own", async () => {
    const articles = await database.db
      .selectFrom("articles")
      .select(["main_image", "video_source_url", "video_thumbnail_url"])
      .execute();
    const episodes = await database.db.selectFrom("podcast_episodes").select("media_url").execute();
    const media = [...articles, ...episodes].flatMap((row) => Object.values<string | null>(row));
    const addresses = media.filter((url) => url !== null);
    expect(addresses.length).toBeGreaterThan(15);
    const missing = addresses.filter((url) => {
      const [start, name] = url.split("/assets/");
      return start !== SITE || !existsSync(locate(`../assets/${name}`));
    });
    expect(missing).toEqual([]);
  });

  test("changes nothing the second time", async () => {
    const before = await rowsOf();
    expect(
      await demo.load(database.db, { renderPool, now: new Date("2026-05-02T09:15:00Z"), baseUrl: SITE }),
    ).toBeUndefined();
    expect(await rowsOf()).toEqual(before);
  });

  test("has one key for its admin, another one every time", async () => {
    const first = await demoKeys.renew(database.db, NOW);
    const second = await demoKeys.renew(database.db, NOW);
    expect(await keys.authenticate(database.db, first, NOW)).toBeUndefined();
    expect(await keys.authenticate(database.db, second, NOW)).toMatchObject({
      role: "admin",
      readOnly: false,
    });
  });
});

describe("the demo", () => {
  const database = databaseForEach();
  const { load, rowsOf } = demoIn(database);

  test("is gone without a trace when it is removed", async () => {
    const before = await rowsOf();
    const tally = await load();
    expect(await demo.remove(database.db, NOW)).toEqual(tally);
    expect(await rowsOf()).toEqual(before);
  });

  test("leaves the site's own alone, settings and tags of the same name included", async () => {
    await settings.set(database.db, "registration", "open");
    const ownSettings = (await rowsOf()).rows.get("settings");
    await users.create(operator(database.db), { username: "own", name: "Own" });
    await database.db.insertInto("tags").values({ name: "bread", short_summary: "Ours." }).execute();
    await load();
    expect((await rowsOf()).rows.get("settings")).toEqual(ownSettings);
    await demo.remove(database.db, NOW);
    expect((await rowsOf()).rows.get("settings")).toEqual(ownSettings);
    const tags = await database.db
      .selectFrom("tags")
      .select(["name", "short_summary", "articles_count"])
      .execute();
    expect(tags).toEqual([{ name: "bread", short_summary: "Ours.", articles_count: 0 }]);
    expect([...(await users.idsByUsername(database.db, ["own"])).keys()]).toEqual(["own"]);
  });

  test("doesn't take over another person's name", async () => {
    await users.create(operator(database.db), { username: "mara_lindqvist", name: "Another Mara" });
    await expect(load()).rejects.toThrow(
      "The demo can't be loaded: the site has the username mara_lindqvist already, and it isn't the demo's.",
    );
    expect((await rowsOf()).rows.get("users")).toHaveLength(1);
  });
});

test("a demo article is its block of YAML and its body", () => {
  const text =
    '---\nauthor: lena\ntitle: "A: b"\ntags: a, b\ndays_ago: 0.5\nreactions: 3\npublished: false\n---\n\nText\n---\n';
  expect(toArticle("a-b.md", text, NOW)).toEqual({
    type: "article",
    slug: "a-b",
    author: "lena",
    title: "A: b",
    body_markdown: "Text\n---\n",
    tags: ["a", "b"],
    created_at: "2026-03-01T21:15:00.000Z",
    published: false,
    imported_reactions_count: 3,
  });
});
