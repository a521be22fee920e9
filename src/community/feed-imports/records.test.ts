import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { exportOf, importsInto, type Line, user } from "../../../test/community-file.ts";
import { importing, type Post, rss } from "../../../test/fetching.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import { worldForAll } from "../../../test/world.ts";
import { importFile } from "../../operate/community-file/import.ts";
import * as imports from "./imports.ts";

const site = importing();

const POSTS: Post[] = [
  { title: "Drafted", link: "https://blog.example/a", guid: "a", date: "Mon, 02 Mar 2026 09:15:00 GMT" },
  { title: "Deleted", html: "Words", guid: "b" },
  { title: "Edited", link: "https://blog.example/c" },
  { html: "", link: "https://blog.example/no-title", guid: "d" },
];

describe("a site that moves", () => {
  const next = worldForAll({ config: { allowPrivateNetwork: true } });

  test("takes its feeds along, with all that they have brought, and nothing comes a second time", async () => {
    const author = await site.author();
    site.says(rss(POSTS));
    const { id } = await site.add(author);
    site.says(rss(POSTS.map((post) => ({ ...post, guid: `${post.title}` }))));
    await site.refresh(id);
    const [first, deleted, edited] = await site.articles(author);
    const key = await site.world.key(author);
    const title = { article: { title: "Mine", canonical_url: "" } };
    await site.world.request({ method: "PUT", url: `/api/articles/${edited?.id}`, key, body: title });
    await site.world.request({ method: "DELETE", url: `/api/articles/${deleted?.id}`, key });

    const file = await exportOf(site.world.db);
    expect(file).toContain(`{"type":"feed_source","user":"${author.username}","url":"${site.url()}",`);
    expect(file).toContain(`"article":"${first?.slug}"`);
    const asked = site.asked().length;
    const options = { renderPool: next.services.renderPool, now: new Date() };
    await importFile(next.db, Readable.from([file]), options);
    expect(await exportOf(next.db)).toBe(file);
    expect(await importFile(next.db, Readable.from([file]), options)).toMatchObject({
      created: 0,
      updated: 0,
    });
    // An import fetches nothing.
    expect(site.asked()).toHaveLength(asked);

    const { converter } = site.surroundings();
    const there = {
      db: next.db,
      outside: next.services,
      renderer: next.services.renderPool,
      converter,
      now: () => new Date(),
    };
    const [refreshed] = await imports.refresh(there, undefined);
    expect(refreshed).toMatchObject({
      user: author.username,
      new_imported: 0,
      new_skipped: 0,
      problem: null,
    });
    expect(site.asked()).toHaveLength(asked + 1);
  });
});

describe("records of feeds", () => {
  const database = databaseForEach();
  const { load } = importsInto(database);
  const source = (more: object = {}) => ({
    type: "feed_source",
    user: "lena",
    url: "https://blog.example/feed",
    ...more,
  });
  const item = (more: object = {}) => ({
    type: "feed_item",
    user: "lena",
    feed: "https://blog.example/feed",
    marks: ["mark-1"],
    ...more,
  });
  const ARTICLE = { type: "article", slug: "a-1", author: "lena", title: "A", body_markdown: "" };
  const stored = (table: "feed_sources" | "feed_items") =>
    database.db.selectFrom(table).selectAll().execute();

  test("are scheduled, and change what is there", async () => {
    await load([user("lena"), source(), ARTICLE, item()]);
    const due = await database.db.selectFrom("fetches").select(["kind", "id"]).execute();
    expect(due).toEqual([{ kind: "feed", id: 1 }]);
    expect(
      await load([source({ url: "HTTPS://blog.example:443/feed", user: "Lena", publish: true })]),
    ).toMatchObject({
      updated: 1,
    });
    expect(await stored("feed_sources")).toMatchObject([{ url: "https://blog.example/feed", publish: true }]);
    const changed = item({ marks: ["mark-1", "mark-2"], article: "a-1", title: "A" });
    expect(await load([changed])).toMatchObject({ updated: 1 });
    expect(await load([changed])).toMatchObject({ unchanged: 1 });
    expect(await stored("feed_items")).toMatchObject([
      { marks: ["mark-1", "mark-2"], article_id: 1, title: "A" },
    ]);
  });

  test.each<[sentence: string, line: Line]>([
    ['user "noor" is not a user of the site', source({ user: "noor" })],
    ["must be a full http or https address", source({ url: "ftp://blog.example/feed" })],
    ["must be a full http or https address", item({ feed: "no address" })],
    ['feed "https://other.example/" is not one that lena has', item({ feed: "https://other.example/" })],
    ['article "none" is not one of the site', item({ article: "none" })],
    ["article and skipped exclude each other", item({ article: "a-1", skipped: "No" })],
    ["marks", item({ marks: [] })],
    ["marks", item({ marks: ["a b"] })],
    ["article_id", { ...item(), article_id: 1 }],
  ])("are refused in words: %s", async (sentence, line) => {
    await load([user("lena"), source(), ARTICLE]);
    const before = [await stored("feed_sources"), await stored("feed_items")];
    await expect(load([line])).rejects.toThrow(sentence);
    expect([await stored("feed_sources"), await stored("feed_items")]).toEqual(before);
  });
});
