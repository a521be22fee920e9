import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { addressesIn, parseXml } from "../../../test/documents.ts";
import { startWorld, worldForAll } from "../../../test/world.ts";
import { STANDING_PAGES } from "../../platform/paths.ts";
import { until } from "../../../test/waiting.ts";

const world = worldForAll();

const paths = async (url: string) => (await addressesIn(world, url)).map(([path]) => path);

test("a sitemap is divided before it could have one address more than may be, with that of the front page", async () => {
  const small = await startWorld();
  const nameOf = async () => parseXml((await small.get("/sitemap.xml")).text).name;
  const author = await small.user();
  await small.article(author, { slug: "last-1", id: 4_999 - author.id });
  expect(await nameOf()).toBe("urlset");
  await small.article(author, { slug: "more-2", id: 5_000 - author.id });
  expect(await nameOf()).toBe("sitemapindex");
  await small.stop();
});

/** The number of articles in its largest part, which is full. */
const LARGE = 5_000;
const LAST = 100_000 + LARGE;

describe("a large sitemap", () => {
  beforeAll(fill);

  /** An article in each part: ids from 100,001 to `LAST`, and 500,000 with an author of that id. */
  async function fill(): Promise<void> {
    await world.organization({ username: "tinkerlab" });
    await world.article(await world.user({ username: "lena" }), {
      slug: "a-1",
      tags: ["día"],
      organization: "tinkerlab",
    });
    const { id } = await world.user({ username: "many" });
    await world.user({ username: "far", id: 500_000 });
    await sql`
      insert into articles (id, author_id, slug, title, description, body_markdown, body_html, renderer_version, state, published_at)
      overriding system value
      select n, case n when 500000 then n else ${id} end, 'many-' || n || '-x', 'Many', '', '', '', 1, 'published', '2026-02-01T00:00:00Z'
      from (select generate_series(100001, ${LAST}::int) as n union all select 500000) as numbers`.execute(
      world.db,
    );
    await sql`
      insert into published_articles (article_id, author_id, published_at, fresh_from, reactions, score, hotness, version)
      select id, author_id, published_at, published_at, 0, 0, 0, version from articles where id > 100000`.execute(
      world.db,
    );
    await sql`analyze`.execute(world.superuser);
  }

  test("is divided into parts that have each address once, and none more than may be", async () => {
    const index = await paths("/sitemap.xml");
    expect(index).toEqual([
      "/sitemap-pages.xml",
      "/sitemap-articles-1.xml",
      "/sitemap-articles-21.xml",
      "/sitemap-articles-100.xml",
      "/sitemap-people-1.xml",
      "/sitemap-people-100.xml",
      "/sitemap-organizations-1.xml",
      "/sitemap-tags-1.xml",
    ]);
    expect(parseXml((await world.get("/sitemap.xml")).text).name).toBe("sitemapindex");
    const parts = [];
    for (const part of index) parts.push(await paths(part));
    expect(parts.map(({ length }) => length)).toEqual([STANDING_PAGES.length, 1, LARGE, 1, 2, 1, 1, 1]);
    const found = new Set(parts.flat());
    expect(found.size).toBe(LARGE + 7 + STANDING_PAGES.length);
    for (const path of [
      "/",
      "/about",
      "/tinkerlab/a-1",
      "/many/many-100001-x",
      `/many/many-${LAST}-x`,
      "/far/many-500000-x",
      "/many",
      "/far",
      "/t/d%C3%ADa",
    ]) {
      expect(found).toContain(path);
    }
  });

  test("has a version that tells of a new part", async () => {
    const { etag } = (await world.get("/sitemap.xml")).headers;
    const known = { "if-none-match": String(etag) };
    expect(await world.get("/sitemap.xml", { headers: known })).toMatchObject({ status: 304, text: "" });
    await world.user({ username: "farther", id: 900_000 });
    await world.article({ username: "farther" }, { slug: "g-7" });
    expect(await world.get("/sitemap.xml", { headers: known })).toMatchObject({ status: 200 });
  });

  test("is the same when it is packed", async () => {
    const url = "/sitemap-articles-21.xml";
    const plain = await world.get(url);
    const unpack = { gzip: gunzipSync, br: brotliDecompressSync };
    for (const encoding of ["gzip", "br"] as const) {
      const headers = { "accept-encoding": encoding };
      const packed = await until(async () => {
        const answer = await world.app.inject({ url, headers });
        return answer.headers["content-encoding"] === encoding && answer;
      });
      expect(packed.headers).toMatchObject({
        etag: plain.headers["etag"],
        vary: "Accept-Encoding, api-key",
      });
      expect(packed.rawPayload.length).toBeLessThan(plain.text.length / 5);
      expect(unpack[encoding](packed.rawPayload).toString()).toBe(plain.text);
    }
  });
});
