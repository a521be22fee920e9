import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BASE_URL, startWorld, type World } from "../../test/world.ts";
import { parseXml, textOf } from "../../test/xml.ts";
import * as settings from "../settings/settings.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Each address of a sitemap or an index with when it was changed. */
async function addresses(url: string): Promise<(readonly [string, string | undefined])[]> {
  const { status, text, headers } = await world.get(url);
  expect([url, status, headers["content-type"]]).toEqual([url, 200, "application/xml; charset=utf-8"]);
  const root = parseXml(text);
  expect(root.attributes["xmlns"]).toBe("http://www.sitemaps.org/schemas/sitemap/0.9");
  return root.children.map((child) => {
    const address = textOf(child, "loc") ?? "";
    expect(address.startsWith(`${BASE_URL}/`)).toBe(true);
    return [address.slice(BASE_URL.length), textOf(child, "lastmod")] as const;
  });
}

const paths = async (url: string) => (await addresses(url)).map(([path]) => path);

describe("/sitemap.xml", () => {
  test("of an empty community has its front page alone", async () => {
    expect(await paths("/sitemap.xml")).toEqual(["/"]);
  });

  test("has what is published, who published it and what it is about, and when that was last changed", async () => {
    const lena = await world.user({ username: "lena" });
    await world.user({ username: "quiet" });
    await world.organization({ username: "tinkerlab" });
    await world.organization({ username: "idlers" });
    await world.tag({ name: "unused" });
    const at = (day: number) => `2026-03-0${day}T09:15:00Z`;
    await world.article(lena, { slug: "a-1", tags: ["día"], published_at: at(1), edited_at: at(5) });
    await world.article(lena, { slug: "b-2", organization: "tinkerlab", published_at: at(2) });
    await world.article(lena, { slug: "c-3", published_at: at(3), edited_at: at(1) });
    await world.article(lena, { slug: "d-4", tags: ["secret"], published: false });
    expect(await addresses("/sitemap.xml")).toEqual([
      ["/", undefined],
      ["/lena/a-1", at(5)],
      ["/tinkerlab/b-2", at(2)],
      ["/lena/c-3", at(3)],
      ["/lena", at(3)],
      ["/tinkerlab", at(2)],
      ["/t/d%C3%ADa", at(1)],
    ]);
    const { headers } = await world.get("/sitemap.xml");
    expect(headers).toMatchObject({
      "cache-control": "public, max-age=3600",
      "access-control-allow-origin": "*",
    });
  });

  test("is answered to HEAD without a body", async () => {
    const head = await world.request({ method: "HEAD", url: "/sitemap.xml" });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["content-type"]).toBe("application/xml; charset=utf-8");
  });

  test.each(["/sitemap-articles-2.xml", "/sitemap-organizations-9.xml", "/sitemap-tags-99999.xml"])(
    "%s, where nothing is, isn't there",
    async (url) => {
      expect(await world.get(url)).toMatchObject({ status: 404, body: { error: "not found" } });
    },
  );

  test.each([
    "/sitemap-articles-0.xml",
    "/sitemap-articles-01.xml",
    "/sitemap-articles-1",
    "/sitemap-drafts-1.xml",
    "/sitemap-",
    "/sitemap-.xml",
    "/sitemap-articles-100000.xml",
    "/sitemap",
  ])("%s is no part of it", async (url) => {
    expect((await world.get(url)).status).toBe(404);
  });

  test("and its parts can only be read", async () => {
    for (const url of ["/sitemap.xml", "/sitemap-articles-1.xml", "/robots.txt"]) {
      const { status, headers } = await world.request({ method: "DELETE", url });
      expect([url, status, headers["allow"]]).toEqual([url, 405, "GET, HEAD, OPTIONS"]);
    }
  });
});

describe("/robots.txt", () => {
  test("leaves out what is for programs, and names the sitemap", async () => {
    const { status, headers, text } = await world.get("/robots.txt");
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, no-cache" },
    });
    expect(text).toBe(
      `User-agent: *\nDisallow: /api/\nDisallow: /healthz\nDisallow: /readyz\n\nSitemap: ${BASE_URL}/sitemap.xml\n`,
    );
    const known = await world.get("/robots.txt", { headers: { "if-none-match": String(headers["etag"]) } });
    expect(known).toMatchObject({ status: 304, text: "" });
  });

  test("of a private community leaves out everything, and its sitemap is for those with a key", async () => {
    const key = await world.key(await world.user());
    await settings.set(world.db, "visibility", "private");
    expect(await world.get("/robots.txt")).toMatchObject({
      status: 200,
      text: "User-agent: *\nDisallow: /\n",
    });
    for (const url of ["/sitemap.xml", "/sitemap-articles-1.xml", "/sitemap-nothing"]) {
      expect((await world.get(url)).status).toBe(401);
    }
    expect(await world.get("/sitemap.xml", { key })).toMatchObject({
      status: 200,
      headers: { "cache-control": "private, no-store" },
    });
    await settings.set(world.db, "visibility", "public");
  });
});

describe("a sitemap of more than 50,000 addresses", () => {
  beforeAll(async () => {
    await fill();
  });

  /** Published articles of the numbers from 100,001 to 150,000, and of 500,000 by somebody with that number. */
  async function fill(): Promise<void> {
    const { id } = await world.user({ username: "many" });
    await world.user({ username: "far", id: 500_000 });
    await sql`
      insert into articles (id, author_id, slug, title, description, body_markdown, body_html, renderer_version, state, published_at)
      overriding system value
      select n, case n when 500000 then n else ${id} end, 'many-' || n || '-x', 'Many', '', '', '', 1, 'published', '2026-02-01T00:00:00Z'
      from (select generate_series(100001, 150000) as n union all select 500000) as numbers`.execute(
      world.db,
    );
    await sql`
      insert into published_articles (article_id, author_id, published_at, fresh_from, reactions, score, hotness)
      select id, author_id, published_at, published_at, 0, 0, 0 from articles where id > 100000`.execute(
      world.db,
    );
    await sql`analyze`.execute(world.db);
  }

  test("is divided into parts that have each address once, and none more than may be", async () => {
    const index = await paths("/sitemap.xml");
    expect(index).toEqual([
      "/sitemap-articles-1.xml",
      "/sitemap-articles-3.xml",
      "/sitemap-articles-10.xml",
      "/sitemap-people-1.xml",
      "/sitemap-people-10.xml",
      "/sitemap-organizations-1.xml",
      "/sitemap-tags-1.xml",
    ]);
    expect(parseXml((await world.get("/sitemap.xml")).text).name).toBe("sitemapindex");
    const parts = [];
    for (const part of index) parts.push(await paths(part));
    expect(parts.map(({ length }) => length)).toEqual([3, 50_000, 1, 2, 1, 1, 1]);
    const found = new Set(parts.flat());
    expect(found.size).toBe(50_009);
    for (const path of [
      "/lena/a-1",
      "/many/many-100001-x",
      "/many/many-150000-x",
      "/far/many-500000-x",
      "/many",
      "/far",
      "/t/d%C3%ADa",
    ]) {
      expect(found).toContain(path);
    }
  });

  test("asks the database for no more when its reader has gone", async () => {
    let asked = 0;
    world.pool.on("acquire", () => asked++);
    await world.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = world.app.server.address() as AddressInfo;
    const closed = new Promise<void>((resolve) => {
      world.app.server.once("request", (_request, response: ServerResponse) =>
        response.once("close", resolve),
      );
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /sitemap-articles-3.xml HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(socket, "data");
    socket.destroy();
    await closed;
    const before = asked;
    // Long enough for the fifty statements of the whole part.
    await sql`select pg_sleep(0.5)`.execute(world.db);
    // This one, and one that was on its way.
    expect(asked - before).toBeLessThanOrEqual(2);
    expect(asked).toBeLessThan(50);
  });
});
