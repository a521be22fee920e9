import Parser from "rss-parser";
import { beforeAll, describe, expect, test } from "vitest";
import { feedsOf, fill } from "../../../test/documents.ts";
import { BASE_URL, startWorld, worldForAll } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";

let feeds: ReturnType<typeof feedsOf>;
const world = worldForAll({
  now: new Date("2026-03-20T12:00:00Z"),
  settings: { community_name: "Loom Folk", community_description: "People who weave." },
});
beforeAll(async () => {
  feeds = feedsOf(world);
  await fill(world);
});

const FORMATS = [
  ["", "application/rss+xml; charset=utf-8"],
  [".atom", "application/atom+xml; charset=utf-8"],
  [".json", "application/feed+json; charset=utf-8"],
] as const;

const PATHS = ["/feed", "/feed/lena", "/feed/tag/gardening"].flatMap((path) =>
  FORMATS.map(([suffix, type]) => [path + suffix, type] as const),
);

const omar = { username: "omar" };

describe("like every public read, a feed", () => {
  test.each(PATHS)(
    "%s has its type and a version, and is read by pages of other sites",
    async (url, type) => {
      const { status, headers, text } = await world.get(url);
      expect({ status, headers }).toMatchObject({
        status: 200,
        headers: {
          "content-type": type,
          "cache-control": "public, no-cache",
          "access-control-allow-origin": "*",
          vary: "Accept-Encoding, api-key",
        },
      });
      const known = await world.get(url, { headers: { "if-none-match": String(headers["etag"]) } });
      expect(known).toMatchObject({ status: 304, text: "", headers: { etag: headers["etag"] } });
      const other = await world.get(url, { headers: { "if-none-match": '"other"' } });
      expect(other.status).toBe(200);
      const head = await world.request({ method: "HEAD", url });
      expect(head).toMatchObject({ status: 200, text: "", headers: { etag: headers["etag"] } });
      expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(text)));
    },
  );

  test("is the same to a client written for Forem", async () => {
    const headers = { accept: "application/vnd.forem.api-v1+json" };
    const reply = await world.get("/feed.json", { headers });
    expect(reply.headers["content-type"]).toBe("application/feed+json; charset=utf-8");
    expect(reply.text).toBe((await world.get("/feed.json")).text);
  });

  test("never says by a date that nothing is new: what is older than its newest article may come and go", async () => {
    const { headers } = await world.get("/feed");
    expect(headers).not.toHaveProperty("last-modified");
    for (const since of ["Thu, 05 Mar 2026 09:15:00 GMT", "Fri, 20 Mar 2026 12:00:00 GMT"]) {
      const asked = await world.get("/feed", { headers: { "if-modified-since": since } });
      expect(asked).toMatchObject({ status: 200, headers: { etag: headers["etag"] } });
    }
  });

  test("shows at once what is published, changed and taken back", async () => {
    const fields = { slug: "fleeting-6f", title: "Fleeting", published_at: "2026-03-10T00:00:00Z" };
    const etags = [(await world.get("/feed")).headers["etag"]];
    await world.article(omar, fields);
    expect((await feeds.titles("/feed"))[0]).toBe("Fleeting");
    etags.push((await world.get("/feed")).headers["etag"]);
    await world.article(omar, { ...fields, title: "Lasting" });
    expect((await feeds.titles("/feed"))[0]).toBe("Lasting");
    etags.push((await world.get("/feed")).headers["etag"]);
    expect(new Set(etags).size).toBe(3);
    await world.article(omar, { ...fields, title: "Lasting", published: false });
    expect((await feeds.titles("/feed"))[0]).toBe("Looms");
  });

  test("of a private community needs a key, and no cache may keep it", async () => {
    const key = await world.key(await world.user({ username: "reader" }));
    await settings.set(world.db, "visibility", "private");
    for (const url of ["/feed", "/feed.json", "/feed/lena.atom", "/feed/nobody", "/feed/search?q=tomatoes"]) {
      expect(await world.get(url)).toMatchObject({ status: 401, body: { error: "unauthorized" } });
      expect((await world.get(url, { key: "ink_wrong" })).status).toBe(401);
    }
    const answer = await world.get("/feed", { key });
    expect(answer).toMatchObject({ status: 200, headers: { "cache-control": "private, no-store" } });
    await settings.set(world.db, "visibility", "public");
  });

  test("counts among the reads that are limited", async () => {
    const limited = await startWorld({ rateLimits: true, settings: { read_burst: "2", read_rate: "1" } });
    const replies = await Promise.all(Array.from({ length: 20 }, () => limited.get("/feed")));
    expect(replies.map(({ status }) => status)).toContain(429);
    expect(replies.map(({ status }) => status)).toContain(200);
    await limited.stop();
  });
});

describe("rss-parser", () => {
  test.each(["/feed", "/feed.atom"])("reads %s as it is meant", async (url) => {
    const feed = await new Parser().parseString((await world.get(url)).text);
    expect(feed).toMatchObject({ title: "Loom Folk", link: `${BASE_URL}/` });
    expect(feed.items.map(({ title }) => title)).toEqual(["Looms", "Warp", "Tomatoes & <b>basil</b>"]);
    const tomatoes = feed.items[2] as Parser.Item & Record<string, string>;
    expect(tomatoes).toMatchObject({
      link: `${BASE_URL}/lena/tomatoes-1a`,
      isoDate: "2026-03-02T09:15:00.000Z",
    });
    expect(tomatoes["creator"] ?? tomatoes["author"]).toBe("Lena Ortiz");
    const html = tomatoes["content:encoded"] ?? tomatoes.content;
    expect(html).toContain("<p>Some <em>words</em>");
    expect(html).toContain("<p>]]&gt;</p>");
  });
});
