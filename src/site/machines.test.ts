import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BASE_URL, startWorld, type World } from "../../test/world.ts";
import { parseXml, textOf } from "../../test/xml.ts";
import { foldChanges } from "../search/vocabulary.ts";
import * as settings from "../settings/settings.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ settings: { community_name: "Loom & Wheel of Bilbao" } });
  const lena = await world.user({ username: "lena" });
  await world.article(lena, { title: "Growing tomatoes", slug: "tomatoes-1a" });
  await foldChanges(world.db);
});
afterAll(() => world.stop());

test("programs that look for the icon at its old address find it", async () => {
  const { statusCode, headers, rawPayload } = await world.app.inject("/favicon.ico");
  expect({ statusCode, type: headers["content-type"] }).toEqual({ statusCode: 200, type: "image/x-icon" });
  // One image, 32 x 32, which is a PNG.
  expect([...rawPayload.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  expect(rawPayload.subarray(22, 26).toString("latin1")).toBe("\x89PNG");
});

describe("/opensearch.xml", () => {
  test("tells browsers how to search the site", async () => {
    const { status, headers, text } = await world.get("/opensearch.xml");
    expect({ status, type: headers["content-type"] }).toEqual({
      status: 200,
      type: "application/opensearchdescription+xml; charset=utf-8",
    });
    const root = parseXml(text);
    expect(root.name).toBe("OpenSearchDescription");
    expect(root.attributes["xmlns"]).toBe("http://a9.com/-/spec/opensearch/1.1/");
    expect(textOf(root, "ShortName")).toBe("Loom & Wheel of ");
    expect(textOf(root, "Description")).toBe("Search Loom & Wheel of Bilbao");
    const addresses = root.children.filter(({ name }) => name === "Url").map(({ attributes }) => attributes);
    expect(addresses).toEqual([
      { type: "text/html", template: `${BASE_URL}/search?q={searchTerms}` },
      {
        type: "application/json",
        rel: "suggestions",
        template: `${BASE_URL}/search/suggestions?q={searchTerms}`,
      },
    ]);
  });

  test("has a name of at most 16 characters, whatever they are", async () => {
    await settings.set(world.db, "community_name", "🧶".repeat(20));
    const { text } = await world.get("/opensearch.xml");
    expect(textOf(parseXml(text), "ShortName")).toBe("🧶".repeat(16));
  });
});

describe("/search/suggestions", () => {
  test("continues what was typed", async () => {
    const { status, headers, body } = await world.get("/search/suggestions?q=tom");
    expect({ status, type: headers["content-type"] }).toEqual({
      status: 200,
      type: "application/json; charset=utf-8",
    });
    const [asked, found] = body as [string, string[]];
    expect(asked).toBe("tom");
    expect(found).toContain("tomatoes");
  });

  test("has none for what nothing begins with", async () => {
    expect((await world.get("/search/suggestions?q=zzzz")).body).toEqual(["zzzz", []]);
  });

  test.each([
    ["/search/suggestions", "q is missing: add it to the query"],
    [`/search/suggestions?q=${"a".repeat(101)}`, "q is too long (maximum is 100 characters)"],
  ])("refuses %s", async (url, error) => {
    expect(await world.get(url)).toMatchObject({ status: 422, body: { error, status: 422 } });
  });
});

describe("static files", () => {
  test("of a page are compressed, and kept for ever", async () => {
    const { text } = await world.get("/");
    const paths = new Set(text.match(/\/static\/[\w.-]+/g));
    expect(paths.size).toBe(4);
    for (const url of paths) {
      const plain = await world.get(url);
      expect(plain).toMatchObject({
        status: 200,
        headers: { "cache-control": "public, max-age=31536000, immutable", vary: "Accept-Encoding" },
      });
      expect(plain.headers["x-content-type-options"]).toBe("nosniff");
      for (const encoding of ["br", "gzip"]) {
        const packed = await world.get(url, { headers: { "accept-encoding": encoding } });
        expect(packed.headers["content-encoding"]).toBe(encoding);
        expect(packed.headers["etag"]).toBe(plain.headers["etag"]);
      }
      const known = { "if-none-match": String(plain.headers["etag"]) };
      expect(await world.get(url, { headers: known })).toMatchObject({ status: 304, text: "" });
    }
  });

  test.each([
    "/static/site.css",
    "/static/assets.json",
    "/static/..%2f..%2fpackage.json",
    "/static/",
    "/static",
  ])("%s is none", async (url) => {
    expect((await world.get(url)).status).toBe(404);
  });
});
