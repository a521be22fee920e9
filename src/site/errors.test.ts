import { beforeAll, describe, expect, test } from "vitest";
import { withClock } from "../../test/waiting.ts";
import { type ReadPage, readPage } from "../../test/documents.ts";
import { serverWith, startWorld, worldForAll } from "../../test/world.ts";
import * as sessions from "../community/users/sessions.ts";
import * as settings from "../platform/settings/settings.ts";
import { errorPages } from "./errors.tsx";

const HTML = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
const ID = "given-by-the-client";

describe("a refusal", () => {
  const world = worldForAll();
  beforeAll(() => world.user({ username: "lena" }));

  const NOWHERE = [
    "/nobody",
    "/nobody/nothing",
    "/no/such/place/at/all",
    "/archive/2026-13",
    "/archive/0000-01",
    "/%zz",
    "//lena",
    "/api/docs/nosuch",
    "/api/docs/articles/nosuch",
    "/api/docs/articles/getArticles/nosuch",
  ];

  test.each(NOWHERE)("of %s is a page for people, with the id of the request", async (url) => {
    const page = await readPage(world, url, { headers: { ...HTML.headers, "x-request-id": ID } });
    expect(page).toMatchObject({ status: 404, h1: "Page not found", isHidden: true, canonical: undefined });
    expect(page.words).toContain(ID);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": ID,
    });
    expect(page.headers["content-security-policy"]).toContain(
      "default-src 'none'; script-src 'self' 'sha256-",
    );
    expect(page.headers["etag"]).toBeUndefined();
    expect(page.title).toBe("Page not found · Inkstone");
    expect(page.text).toContain('action="/search"');
    expect(page.meta).not.toHaveProperty("og:url");
  });

  test.each([
    ["/nobody", "application/json"],
    ["/no/such/place/at/all", "*/*"],
    ["/api/nothing", "text/html"],
    ["/api/docsnothing", "text/html"],
    ["/api/docs/nothing", "application/json"],
    ["/api/articles/999999", "text/html,*/*"],
    ["/static/nothing.css", "text/css,*/*;q=0.1"],
    ["/feed/nobody", "application/rss+xml"],
  ])("of %s is JSON for a program that accepts %s", async (url, accept) => {
    const reply = await world.get(url, { headers: { accept } });
    expect(reply).toMatchObject({
      status: 404,
      headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
      body: { error: "not found", status: 404 },
    });
  });

  test.each([
    ["/?top=decade", "top must be one of week, month, year, ever"],
    ["/tags?page=0", "page must be a whole number from 1 to 1000"],
    ["/tags?page=1001", "page must be a whole number from 1 to 1000"],
    ["/?cursor=nonsense", "cursor is not one that this list gave: start again without it"],
    ["/search?q=a&q=b", "q must be given once"],
    [`/search?q=${"a".repeat(1_001)}`, "q is too long (maximum is 1000 characters)"],
    ["/search?q=wool&kind=songs", "kind must be one of articles, people, tags, comments, listings"],
    ["/lena?tab=secrets", "tab must be one of comments, series, about"],
  ])("of the parameters of %s says which ones are possible", async (url, sentence) => {
    const page = await readPage(world, url, HTML);
    expect(page).toMatchObject({ status: 422, h1: "Invalid address", isHidden: true });
    expect(page.words).toContain(sentence);
  });

  test("shows what it was asked as text", async () => {
    const page = await readPage(world, `/?top=${encodeURIComponent("<script>alert(1)</script>")}`, HTML);
    expect(page.status).toBe(422);
    expect(page.text).not.toContain("<script>alert");
    expect(page.words).toContain("<script>alert(1)</script>");
  });

  test.each(["/", "/lena", "/tags", "/search"])("of a method that %s doesn't have", async (url) => {
    const reply = await world.request({ method: "POST", url, ...HTML });
    expect(reply).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, OPTIONS" } });
    expect(reply.text).toContain("<h1");
    expect(await world.request({ method: "DELETE", url })).toMatchObject({
      status: 405,
      body: { error: "method not allowed", status: 405 },
    });
  });

  test("is the same for HEAD, without its body", async () => {
    const { headers } = await world.get("/nobody", HTML);
    const head = await world.request({ method: "HEAD", url: "/nobody", ...HTML });
    expect(head).toMatchObject({ status: 404, text: "" });
    expect(head.headers["content-length"]).toBe(headers["content-length"]);
    const page = await world.request({ method: "HEAD", url: "/", ...HTML });
    expect(page).toMatchObject({ status: 200, text: "" });
    expect(page.headers["etag"]).toBe((await world.get("/", HTML)).headers["etag"]);
  });
});

describe("a member", () => {
  let cookie: string;
  const world = worldForAll({ settings: { footer_text: "For members", visibility: "private" } });
  beforeAll(async () => {
    const { id } = await world.user({ username: "lena", name: "Lena Ortiz" });
    const token = await sessions.begin(world.db, { userId: id, network: "", browser: "" }, new Date());
    cookie = `__Host-session=${token}`;
  });
  const read = (url: string, cookie: string) =>
    readPage(world, url, { headers: { ...HTML.headers, cookie } });

  test.each(["/nobody", "/no/such/place/at/all", "/%zz", "/?top=decade"])(
    "keeps their header on the page of the error of %s, which nobody else gets",
    async (url) => {
      const own = await read(url, cookie);
      expect([404, 422]).toContain(own.status);
      expect(own.headers["cache-control"]).toBe("private, no-store");
      for (const words of ["Menu of Lena Ortiz", "For members"]) expect(own.text).toContain(words);
      for (const other of ["", `__Host-session=${"A".repeat(43)}`]) {
        const { text } = await read(url, other);
        for (const words of ["Menu of", "For members"]) expect(text).not.toContain(words);
      }
    },
  );
});

test("a private community's pages are for its members alone", async () => {
  const world = await startWorld({ settings: { visibility: "private", community_name: "Loom Folk" } });
  const lena = await world.user({ username: "lena" });
  const { id } = await world.article(lena, { slug: "wool-1a", title: "Wool" });
  await world.db.insertInto("retired_paths").values({ path: "/2019/05/wool", article_id: id }).execute();
  expect(await readPage(world, "/2019/05/wool", HTML)).toMatchObject({ status: 404 });
  for (const url of ["/", "/lena", "/lena/wool-1a", "/nobody", "/about", "/search?q=wool"]) {
    const { status, headers, text } = await world.get(url, HTML);
    const next = url === "/" ? "" : `?next=${encodeURIComponent(url)}`;
    expect({ status, location: headers["location"], text }).toEqual({
      status: 303,
      location: `/signin${next}`,
      text: "",
    });
    expect(headers["cache-control"]).toBe("private, no-store");
  }
  for (const url of ["/feed", "/opensearch.xml", "/sitemap.xml"])
    expect(await world.get(url)).toMatchObject({ status: 401 });
  const reply = await readPage(world, "/lena/wool-1a", { ...HTML, key: await world.key(lena) });
  expect(reply).toMatchObject({ status: 200, h1: "Wool" });
  expect(reply.headers["cache-control"]).toBe("private, no-store");
  expect(await world.get("/lena/wool-1a", HTML)).toMatchObject({ status: 303 });
  const token = await sessions.begin(world.db, { userId: lena.id, network: "", browser: "" }, new Date());
  const cookie = `__Host-session=${token}`;
  expect(await readPage(world, "/lena/wool-1a", { headers: { ...HTML.headers, cookie } })).toMatchObject({
    status: 200,
    h1: "Wool",
  });
  await world.stop();
});

test("too many pages in a short time are refused by a page that says when to come back", async () => {
  const world = await startWorld({ rateLimits: true, settings: { read_burst: "2", read_rate: "1" } });
  const pages: ReadPage[] = [];
  await withClock(async () => {
    for (let count = 0; count < 3; count++) pages.push(await readPage(world, "/tags", HTML));
  });
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(pages[2]).toMatchObject({ h1: "Too many requests", headers: { "retry-after": "1" } });
  expect(pages[2]?.words).toContain("Please try again in 1 second.");
  await world.stop();
});

describe("a fault of the server", () => {
  test("is a page that needs no database, and offers no search", async () => {
    const world = await startWorld({ settings: { community_name: "Loom Folk" } });
    expect(await readPage(world, "/tags", HTML)).toMatchObject({ status: 200 });
    await world.forget();
    await world.db.destroy();
    for (const url of ["/", "/tags", "/lena", "/lena/anything", "/search?q=wool"]) {
      const page = await readPage(world, url, { headers: { ...HTML.headers, "x-request-id": ID } });
      expect(page).toMatchObject({ h1: expect.any(String) as string, isHidden: true });
      expect(page.status).toBeGreaterThanOrEqual(500);
      expect(page.words).toContain(ID);
      expect(page.text).not.toContain('action="/search"');
      expect(page.headers["cache-control"]).toBe("no-store");
    }
    await world.stop();
  });

  test("tells nothing of its cause", async () => {
    const world = await startWorld({
      build: serverWith((app, context, services) => {
        app.errorPage = errorPages({ ...context, ...services, baseUrl: context.config.baseUrl });
        app.get("/broken", { config: { access: "open", isPage: true } }, () => {
          throw new Error("secret of select * from users");
        });
      }),
    });
    const page = await readPage(world, "/broken", HTML);
    expect(page).toMatchObject({ status: 500, h1: "Something went wrong" });
    expect(page.text).not.toContain("secret");
    expect(await world.get("/broken", { headers: { accept: "application/json" } })).toMatchObject({
      status: 500,
      body: { error: "internal server error", status: 500 },
    });
    await world.stop();
  });
});

test("a page of an error has the community's own name and colour", async () => {
  const world = await startWorld();
  await settings.set(world.db, "community_name", "Loom Folk");
  await settings.set(world.db, "accent_color", "#005f5f");
  await world.get("/tags");
  // Also where they were read long ago.
  for (const passedMs of [0, 3_600_000]) {
    const page = await withClock((pass) => {
      pass(passedMs);
      return readPage(world, "/nobody", HTML);
    });
    expect(page.title).toBe("Page not found · Loom Folk");
    expect(page.text).toContain("--accent-light:#005f5f");
  }
  await world.stop();
});
