import { beforeAll, describe, expect, test } from "vitest";
import { startAnother } from "../../../test/servers.ts";
import { type World, worldForAll } from "../../../test/world.ts";
import { deleteUser } from "../moderation/deleting.ts";
import { addUpChanges } from "./roll-up.ts";
import * as retention from "./counting.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

let ada: Awaited<ReturnType<World["user"]>>;
let ben: Awaited<ReturnType<World["user"]>>;
const world = worldForAll({ now: NOW, config: { trustProxy: ["127.0.0.1"] } });
beforeAll(async () => {
  ada = await world.user({ username: "ada" });
  ben = await world.user({ username: "ben" });
});

interface Visit {
  address?: string;
  userAgent?: string;
  key?: string;
  method?: string;
  headers?: Record<string, string>;
}

async function visit(
  url: string,
  { address = "203.0.113.1", userAgent = BROWSER, key, method, headers }: Visit = {},
) {
  return world.request({
    url,
    key,
    ...(method && { method }),
    headers: { "x-forwarded-for": address, "user-agent": userAgent, ...headers },
  });
}

async function written(id: number) {
  await write();
  return world.db
    .selectFrom("page_views")
    .select(["referrer", "views", "user_id"])
    .where("article_id", "=", id)
    .orderBy("referrer")
    .execute();
}

const write = () => world.services.views.write(world.db, () => {});

async function countOf(id: number): Promise<number> {
  return (await written(id)).reduce((sum, { views }) => sum + Number(views), 0);
}

describe("a view", () => {
  test("is counted for every way to read an article, once a visitor and day, and only in memory at first", async () => {
    const { id, slug } = await world.article(ada);
    for (const url of [
      `/api/articles/${id}`,
      `/api/articles/${slug}`,
      `/api/articles/ada/${slug}`,
      `/api/articles/by_path?url=/ada/${slug}`,
    ]) {
      const rows = await world.db
        .selectFrom("page_views")
        .select("views")
        .where("article_id", "=", id)
        .execute();
      expect((await visit(url)).status).toBe(200);
      expect(
        await world.db.selectFrom("page_views").select("views").where("article_id", "=", id).execute(),
      ).toEqual(rows);
      expect(await countOf(id)).toBe(1);
    }
    await visit(`/api/articles/${id}`, { address: "203.0.113.2" });
    await visit(`/api/articles/${id}`, { userAgent: "Another" });
    expect(await countOf(id)).toBe(3);
    world.setNow(new Date("2026-04-01T00:00:01Z"));
    await visit(`/api/articles/${id}`);
    world.setNow(NOW);
    expect(await countOf(id)).toBe(4);
  });

  test("counts whether the answer was kept, and whether the reader has it already", async () => {
    const { id } = await world.article(ada);
    const { headers } = await visit(`/api/articles/${id}`, { address: "203.0.113.3" });
    await visit(`/api/articles/${id}`, { address: "203.0.113.4" });
    const again = { address: "203.0.113.5", headers: { "if-none-match": String(headers["etag"]) } };
    expect((await visit(`/api/articles/${id}`, again)).status).toBe(304);
    expect(await countOf(id)).toBe(3);
  });

  test("by the owner of a key is one on any address, and anonymous", async () => {
    const { id } = await world.article(ada);
    const key = await world.key(ben);
    await visit(`/api/articles/${id}`, { key, address: "203.0.113.6" });
    await write();
    await visit(`/api/articles/${id}`, { key, address: "203.0.113.7" });
    expect(await written(id)).toEqual([{ referrer: "", views: "1", user_id: null }]);
  });

  test("knows the host it came from", async () => {
    const { id } = await world.article(ada);
    const from = (referer: string, address: string) =>
      visit(`/api/articles/${id}`, { address, headers: { referer } });
    await from("https://News.example:8443/item?id=secret", "203.0.113.8");
    await from("https://news.example./", "203.0.113.9");
    await from("no address at all", "203.0.113.10");
    expect(await written(id)).toEqual([
      { referrer: "", views: "1", user_id: null },
      { referrer: "news.example", views: "2", user_id: null },
    ]);
  });

  test("is none when the author reads, a crawler, a program that reads ahead, or only the head is asked for", async () => {
    const { id } = await world.article(ada);
    const url = `/api/articles/${id}`;
    await visit(url, { key: await world.key(ada) });
    await visit(url, {
      userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    });
    for (const name of ["sec-purpose", "purpose", "x-moz"])
      await visit(url, { headers: { [name]: "prefetch;prerender" } });
    await visit(url, { method: "HEAD" });
    expect(await countOf(id)).toBe(0);
  });

  test("is none of what isn't published or isn't there", async () => {
    const { id, slug } = await world.article(ada, { published: false });
    const key = await world.key(await world.user({ role: "admin" }));
    expect((await visit(`/api/articles/${id}`, { key })).status).toBe(200);
    expect((await visit(`/api/articles/${slug}`)).status).toBe(404);
    expect(await countOf(id)).toBe(0);
  });

  test("is counted once by two servers", async () => {
    const { id } = await world.article(ada);
    const other = await startAnother(world);
    await visit(`/api/articles/${id}`, { address: "127.0.0.1" });
    const here = world.services;
    await other.request({ url: `/api/articles/${id}`, headers: { "user-agent": BROWSER } });
    await Promise.all([here.views.write(world.db, () => {}), other.services.views.write(other.db, () => {})]);
    await other.stop();
    expect(await countOf(id)).toBe(1);
  });

  test("of an article that is gone meanwhile is dropped, and hinders no other", async () => {
    const [gone, left] = [await world.article(ada), await world.article(ada)];
    for (const { id } of [gone, left]) await visit(`/api/articles/${id}`);
    await world.db.deleteFrom("articles").where("id", "=", gone.id).execute();
    expect([await countOf(gone.id), await countOf(left.id)]).toEqual([0, 1]);
  });

  test("stands in the lists of the author at once, and later", async () => {
    const person = await world.user();
    const key = await world.key(person);
    const { id } = await world.article(person, { imported_page_views_count: 7 });
    await visit(`/api/articles/${id}`);
    await write();
    const counts = async () =>
      ((await world.get("/api/articles/me", { key })).body as { page_views_count: number }[])[0]
        ?.page_views_count;
    expect(await counts()).toBe(8);
    await addUpChanges(world.db);
    expect(await counts()).toBe(8);
  });
});

describe("what can't be written", () => {
  test("waits for the database", async () => {
    const { id } = await world.article(ada);
    await visit(`/api/articles/${id}`);
    await world.superuser.schema.alterTable("page_view_keys").renameTo("elsewhere").execute();
    await expect(write()).rejects.toThrow("page_view_keys");
    await world.superuser.schema.alterTable("elsewhere").renameTo("page_view_keys").execute();
    expect(world.services.views.waiting).toBe(1);
    expect(await countOf(id)).toBe(1);
    expect(world.services.views.waiting).toBe(0);
  });

  test("is bounded, and said", async () => {
    const { id } = await world.article(ada);
    const read = { articleId: id, authorId: ada.id, viewerId: undefined, headers: {}, at: NOW };
    for (let n = 0; n < 50_003; n += 1) world.services.views.note({ ...read, address: `visitor ${n}` });
    const lines: string[] = [];
    await world.services.views.write(world.db, (line) => lines.push(line));
    expect(lines).toEqual(["3 views weren't counted: too many wait for the database"]);
    expect(await countOf(id)).toBe(50_000);
    await world.services.views.write(world.db, (line) => lines.push(line));
    expect(lines).toHaveLength(1);
  });
});

describe("what is forgotten", () => {
  test("the key of a day and its visitors go after the day; addresses are never stored", async () => {
    const { id } = await world.article(ada);
    await visit(`/api/articles/${id}`, { address: "198.51.100.77" });
    await write();
    const { rows } = await world.pool.query<{ text: string }>(
      "select page_views::text || (select string_agg(page_view_visitors::text, ' ') from page_view_visitors) as text from page_views",
    );
    expect(JSON.stringify(rows)).not.toContain("198.51.100.77");
    const left = async () => (await world.db.selectFrom("page_view_visitors").select("day").execute()).length;
    await retention.forgetVisitors(world.db, new Date("2026-04-01T00:59:00Z"));
    expect(await left()).toBeGreaterThan(0);
    await retention.forgetVisitors(world.db, new Date("2026-04-02T01:00:00Z"));
    expect(await left()).toBe(0);
    expect(await world.db.selectFrom("page_view_keys").select("key").execute()).toEqual([]);
    expect(await countOf(id)).toBe(1);
  });

  test.each(["after a time", "with the person"])(
    "who viewed an article, %s; the figures stay",
    async (when) => {
      const person = await world.user();
      const key = await world.key(person);
      const { slug, id } = await world.article(person);
      const [eve, dan] = [await world.user(), await world.user()];
      const on = "2025-01-01";
      await world.pageViews(
        { article: slug, on, count: 5, referrer: "a.example" },
        { article: slug, on, user: eve.username, read_time_seconds: 60, referrer: "a.example" },
        { article: slug, on, user: dan.username, count: 2, read_time_seconds: 30, referrer: "b.example" },
        { article: slug, on: "2026-03-30", user: eve.username, read_time_seconds: 9 },
      );
      const figures = async () => [
        (await world.get("/api/analytics/totals", { key })).body,
        (await world.get("/api/analytics/referrers?start=2024-1-1", { key })).body,
      ];
      const before = await figures();
      if (when === "after a time") expect(await retention.forgetViewers(world.db, NOW)).toBe(2);
      else {
        const site = { db: world.db, files: world.context.files };
        for (const { id: gone } of [eve, dan]) await deleteUser(site, { id: gone, now: NOW });
      }
      expect(await figures()).toEqual(before);
      await addUpChanges(world.db);
      expect(await figures()).toEqual(before);
      const named = (await written(id)).filter(({ user_id }) => user_id !== null);
      expect(named).toHaveLength(when === "after a time" ? 1 : 0);
      expect(await retention.forgetViewers(world.db, NOW)).toBe(0);
    },
  );
});
