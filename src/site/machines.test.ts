import { beforeAll, describe, expect, test } from "vitest";
import { withClock } from "../../test/waiting.ts";
import { BASE_URL, startWorld, worldForAll } from "../../test/world.ts";
import { parseXml, textOf } from "../../test/documents.ts";
import { addUpChanges } from "../search/vocabulary.ts";
import * as settings from "../platform/settings/settings.ts";

const world = worldForAll({ settings: { community_name: "Loom & Wheel of Bilbao" } });
beforeAll(async () => {
  const lena = await world.user({ username: "lena" });
  await world.article(lena, { title: "Growing tomatoes", slug: "tomatoes-1a" });
  await addUpChanges(world.db);
  await world.loadSearch();
});

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
  const suggest = async (q: string) => {
    const { status, headers, body } = await world.get(`/search/suggestions?q=${encodeURIComponent(q)}`);
    const [typed, texts, kinds, addresses] = body as [string, string[], string[], string[]];
    expect({ status, type: headers["content-type"], typed }).toEqual({
      status: 200,
      type: "application/json; charset=utf-8",
      typed: q,
    });
    expect([kinds.length, addresses.length]).toEqual([texts.length, texts.length]);
    return texts.map((text, at) => ({
      text,
      kind: kinds[at],
      path: addresses[at]?.slice(BASE_URL.length),
    }));
  };

  const textsFor = async (q: string) => (await suggest(q)).map(({ text }) => text);

  test("are titles, people, organizations and tags with a word that begins so", async () => {
    await world.organization({ username: "growers", name: "Growers of Bilbao" });
    await world.user({ username: "grover", name: "Ana Lindqvist" });
    await world.article(
      { username: "grover" },
      {
        title: "Seeds that are grown from seed",
        slug: "seed-2b",
        tags: ["grow"],
        organization: "growers",
        body_markdown: "Growth. Groaning. Grünkohl.",
        imported_reactions_count: 3,
      },
    );
    await addUpChanges(world.db);
    await world.forget();
    expect(await suggest("gro")).toEqual([
      { text: "Seeds that are grown from seed", kind: "Article", path: "/growers/seed-2b" },
      { text: "Growing tomatoes", kind: "Article", path: "/lena/tomatoes-1a" },
      { text: "Ana Lindqvist", kind: "Person", path: "/grover" },
      { text: "Growers of Bilbao", kind: "Organization", path: "/growers" },
      { text: "#grow", kind: "Tag", path: "/t/grow" },
    ]);
    expect(await textsFor("tomat")).toEqual(["Growing tomatoes"]);
    expect(await textsFor("lindq")).toEqual(["Ana Lindqvist"]);
    expect(await textsFor("bilb")).toEqual(["Growers of Bilbao"]);
  });

  test("have all words typed, the last one as a beginning", async () => {
    expect(await textsFor("tomatoes grow")).toEqual(["Growing tomatoes"]);
    expect(await textsFor("grow tomatoes")).toEqual([]);
    expect(await textsFor("lindqvist an")).toEqual(["Ana Lindqvist"]);
    expect(await textsFor("some tom")).toEqual([]);
  });

  test.each([
    ["tomta", "Growing tomatoes"],
    ["tomaoes", "Growing tomatoes"],
    ["growing tomst", "Growing tomatoes"],
    ["lindw", "Ana Lindqvist"],
    ["tmo", undefined],
    ["tmoaot", undefined],
  ])("may have one misspelt letter, from four letters on: %s", async (q, text) => {
    expect(await textsFor(q)).toEqual(text === undefined ? [] : [text]);
  });

  test("are what articles say as they write it, and nothing that only the index has", async () => {
    await world.article(
      { username: "lena" },
      { title: "Grüne Soße für crème-brûlée 東京の庭", slug: "soup-3c" },
    );
    await addUpChanges(world.db);
    await world.forget();
    for (const q of ["grun", "grüne", "Soße", "sosse", "brul", "crème b", "東京"])
      expect([q, await textsFor(q)]).toEqual([q, ["Grüne Soße für crème-brûlée 東京の庭"]]);
  });

  test("are no articles that are not public, and no suspended people", async () => {
    const sue = await world.user({ username: "hidden_sue", suspended: true });
    await world.article({ username: "lena" }, { title: "Hidden draft", slug: "d-1a", published: false });
    await world.article(sue, { title: "Hidden", slug: "h-1a", published_at: "2999-01-01T00:00:00Z" });
    await world.forget();
    expect(await suggest("hidden")).toEqual([]);
  });

  test.each(["t", "%", "_a", "\\", "\0\0", "'; drop table users; --"])("are none for %j", async (q) => {
    expect(await suggest(q)).toEqual([]);
  });

  test("are given ten times a second to an address", async () => {
    const limited = await startWorld({ rateLimits: true });
    const statuses = await withClock(async () => {
      const urls = Array.from({ length: 11 }, (_, n) => `/search/suggestions?q=word${n}`);
      const replies = [];
      for (const url of urls) replies.push((await limited.get(url)).status);
      return replies;
    });
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    await limited.stop();
  });

  test("has none for what nothing begins with", async () => {
    expect((await world.get("/search/suggestions?q=zzzz")).body).toEqual(["zzzz", [], [], []]);
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
