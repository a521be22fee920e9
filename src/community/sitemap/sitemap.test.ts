import { describe, expect, test } from "vitest";
import { addressesIn } from "../../../test/documents.ts";
import { BASE_URL, worldForAll } from "../../../test/world.ts";
import { STANDING_PAGES } from "../../platform/paths.ts";
import * as settings from "../../platform/settings/settings.ts";

const world = worldForAll();

const paths = async (url: string) => (await addressesIn(world, url)).map(([path]) => path);

describe("/sitemap.xml", () => {
  test("of an empty community has the pages that every community has", async () => {
    expect(await paths("/sitemap.xml")).toEqual(STANDING_PAGES);
    for (const url of STANDING_PAGES) expect(await world.get(url)).toMatchObject({ status: 200 });
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
    expect(await addressesIn(world, "/sitemap.xml")).toEqual([
      ...STANDING_PAGES.map((path) => [path, undefined]),
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
    });
  });

  test("is answered to HEAD without a body", async () => {
    const { etag } = (await world.get("/sitemap.xml")).headers;
    const head = await world.request({ method: "HEAD", url: "/sitemap.xml" });
    expect(head).toMatchObject({ status: 200, text: "", headers: { etag } });
    expect(head.headers["content-type"]).toBe("application/xml; charset=utf-8");
  });

  test.each(["/sitemap.xml", "/sitemap-articles-1.xml", "/sitemap-people-1.xml", "/sitemap-pages.xml"])(
    "%s isn't sent again to who has it",
    async (url) => {
      const { etag } = (await world.get(url)).headers;
      expect(etag).toMatch(/^W\/"/);
      const ask = (known: unknown) => world.get(url, { headers: { "if-none-match": String(known) } });
      expect(await ask(etag)).toMatchObject({ status: 304, text: "", headers: { etag } });
      expect(await ask('W/"other"')).toMatchObject({ status: 200, headers: { etag } });
    },
  );

  test("has another version for every change, also one that leaves count and dates as they are", async () => {
    const omar = await world.user({ username: "omar" });
    const published_at = "2026-02-01T00:00:00Z";
    const { id } = await world.article(omar, { slug: "e-5", published_at });
    const versions = async () =>
      (await Promise.all(["/sitemap.xml", "/sitemap-articles-1.xml"].map((url) => world.get(url)))).map(
        ({ headers }) => headers["etag"],
      );
    const seen = [await versions()];
    await world.article(omar, { slug: "e-5", published_at, published: false });
    const other = await world.article(omar, { slug: "f-6", published_at });
    seen.push(await versions());
    await world.article(omar, { slug: "f-6", published_at, organization: "tinkerlab" });
    seen.push(await versions());
    expect(new Set(seen.flat()).size).toBe(6);
    await world.db.deleteFrom("articles").where("id", "in", [id, other.id]).execute();
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
    "/sitemap-articles-1000000.xml",
    "/sitemap-pages-1.xml",
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
