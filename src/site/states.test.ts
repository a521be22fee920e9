import { beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../../test/documents.ts";
import { startWorld, worldForAll } from "../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const lena = { username: "lena" };
const HTML = { headers: { accept: "text/html" } };

describe("an empty community", () => {
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    await world.user(lena);
    await world.organization({ username: "guild" });
    await world.podcast({ slug: "loomcast" });
    await world.tag({ name: "wool" });
  });

  test.each([
    ["/", "Nothing published yet"],
    ["/?top=week", "Nothing published this week"],
    ["/lena", "No articles yet"],
    ["/lena?tab=comments", "No comments yet"],
    ["/lena?tab=series", "No series yet"],
    ["/lena?tab=about", "lena has written nothing about themselves yet."],
    ["/guild", "No articles yet"],
    ["/t/wool", "No articles with this tag"],
    ["/videos", "No videos yet"],
    ["/archive", "Nothing published yet"],
    ["/archive/2026-03", "No articles"],
    ["/listings", "No listings at present"],
    ["/listings/misc", "No listings at present"],
    ["/loomcast", "No episodes yet"],
    ["/search?q=tomatoes", "No articles found"],
    ["/search?q=tomatoes&kind=people", "No people found"],
  ])("says on %s: %s", async (url, words) => {
    const page = await readPage(world, url, HTML);
    expect({ status: page.status, words: page.words }).toMatchObject({
      status: 200,
      words: expect.stringContaining(words) as string,
    });
    expect(page.words).not.toContain("No more");
  });

  test("has a page of tags and of podcasts without any", async () => {
    const empty = await startWorld();
    expect((await readPage(empty, "/tags")).words).toContain("No tags yet");
    expect((await readPage(empty, "/podcasts")).words).toContain("No podcasts yet");
    await empty.stop();
  });
});

describe("behind the end of a list", () => {
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    await world.user(lena);
    await world.organization({ username: "guild" });
    await world.podcast({ slug: "loomcast" });
    await world.episode("loomcast");
    await world.listing(lena);
    await world.article(lena, {
      slug: "first-1a",
      title: "Tomatoes",
      tags: ["wool"],
      organization: "guild",
      video_source_url: "https://youtu.be/dQw4w9WgXcQ",
      published_at: "2026-03-01T00:00:00Z",
    });
    await world.comment(lena, { article: "first-1a" });
  });

  test.each([
    ["/tags", "No more tags"],
    ["/listings", "No more listings"],
    ["/listings/misc", "No more listings"],
    ["/podcasts", "No more podcasts"],
    ["/loomcast", "No more episodes"],
    ["/archive/2026-03", "No more articles"],
    ["/lena?tab=comments", "No more comments"],
    ["/guild/first-1a/comments", "No more comments"],
  ])("%s, it says so, leads to the first page, and search engines leave it out", async (path, words) => {
    const more = path.includes("?") ? "&" : "?";
    const page = await readPage(world, `${path}${more}page=7`, HTML);
    expect(page).toMatchObject({ status: 200, isHidden: true });
    expect(page.words).toContain(words);
    expect(page.words).not.toMatch(/ yet| at present/);
    expect(page.links).toContain(path);
    expect(page.text).not.toContain('rel="prev"');
    const start = await readPage(world, path, HTML);
    expect(start.words).not.toMatch(/No more| yet| at present/);
  });
});

describe("a list whose pages continue behind a cursor", () => {
  const PATHS = ["/", "/?top=ever", "/t/wool", "/makers", "/videos", "/search?q=radishes"];
  const next = new Map<string, string>();
  const articles = (published: boolean) =>
    Array.from({ length: 30 }, (_, index) => ({
      author: "lena",
      title: `Radishes ${index}`,
      slug: `radishes-${index}-x`,
      body_markdown: "Some words.",
      published,
      published_at: "2026-03-01T00:00:00Z",
      tags: ["wool"],
      organization: "makers",
      video_source_url: "https://youtu.be/dQw4w9WgXcQ",
    }));
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    await world.user(lena);
    await world.organization({ username: "makers" });
    await world.articles(articles(true));
  });

  test.each(PATHS)("continues on a second page of %s, which search engines leave out", async (path) => {
    const first = await readPage(world, path, HTML);
    expect(first.isHidden).toBe(path.startsWith("/search"));
    const [link = ""] = first.links.filter((each) => each.includes("cursor="));
    const second = await readPage(world, link, HTML);
    expect(second).toMatchObject({ status: 200, isHidden: true });
    expect(second.words).toContain("Radishes");
    next.set(path, link);
  });

  test.each(PATHS)("says on %s that nothing is left behind it, and leads to the first page", async (path) => {
    await world.articles(articles(false));
    const page = await readPage(world, next.get(path) ?? "", HTML);
    expect(page).toMatchObject({ status: 200, isHidden: true });
    expect(page.words).toMatch(/No more (articles|videos)/);
    expect(page.words).not.toMatch(/ yet|with this tag|found/);
    expect(page.links).toContain(path);
  });
});

describe("a page of its own", () => {
  const get = (url: string) => readPage(world, url, HTML);
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    await world.user(lena);
    await world.user({ username: "sue", suspended: true });
  });

  test("is gone where an article was deleted, and isn't there where none was public", async () => {
    const { id } = await world.article(lena, { slug: "gone-1a" });
    await world.article(lena, { slug: "draft-2b", published: false });
    await world.article(lena, { slug: "later-3c", published_at: "2026-04-30T00:00:00Z" });
    const key = await world.key(await world.user({ username: "ada", role: "admin" }));
    const taken = await world.article(lena, { slug: "taken-back-4d" });
    const request = { key, method: "PUT", url: `/api/articles/${taken.id}/unpublish` };
    expect(await world.request(request)).toMatchObject({ status: 204 });
    const deleted = { key, method: "DELETE", url: `/api/articles/${id}` };
    expect((await world.request(deleted)).status).toBeLessThan(300);
    expect(await get("/lena/gone-1a")).toMatchObject({ status: 410, h1: "This article is gone" });
    for (const slug of ["draft-2b", "later-3c", "taken-back-4d", "nothing"]) {
      expect(await get(`/lena/${slug}`)).toMatchObject({ status: 404, h1: "Page not found" });
      expect(await get(`/lena/${slug}/comments`)).toMatchObject({ status: 404 });
    }
  });

  test("of a suspended person says so, and search engines leave it out", async () => {
    const page = await get("/sue");
    expect(page).toMatchObject({ status: 200, isHidden: true });
    expect(page.words).toContain("This account is suspended.");
    expect((await get("/lena")).words).not.toContain("suspended");
  });

  test("of a listing says that it has expired; one that isn't published has none", async () => {
    await world.listing(lena, { slug: "looms-1a", expires_at: "2026-03-30T00:00:00Z" });
    await world.listing(lena, { slug: "wheels-2b", expires_at: "2026-04-30T00:00:00Z" });
    await world.listing(lena, { slug: "hidden-3c", published: false });
    const expired = await get("/listings/misc/looms-1a");
    expect(expired).toMatchObject({ status: 200, isHidden: true });
    expect(expired.words).toContain("This listing has expired.");
    const current = await get("/listings/misc/wheels-2b");
    expect(current).toMatchObject({ status: 200, isHidden: false });
    expect(current.words).toContain("until 30 Apr 2026");
    expect(await get("/listings/misc/hidden-3c")).toMatchObject({ status: 404 });
    expect((await get("/listings")).links).not.toContain("/listings/misc/looms-1a");
  });

  test("of an episode whose recording can't be reached says so, and has no player", async () => {
    await world.podcast({ slug: "loomcast" });
    await world.episode("loomcast", { slug: "silent", reachable: false });
    await world.episode("loomcast", { slug: "heard" });
    const silent = await get("/loomcast/silent");
    expect(silent).toMatchObject({ status: 200 });
    expect(silent.words).toContain("The audio file can't be reached at present.");
    expect(silent.text).not.toContain("<audio");
    expect((await get("/loomcast/heard")).text).toContain("<audio");
    expect((await get("/loomcast")).links).not.toContain("/loomcast/silent");
    expect(await get("/loomcast/none")).toMatchObject({ status: 404 });
  });

  test("of comments shows the place of deleted and hidden ones, without their texts and authors", async () => {
    await world.article(lena, { slug: "talk-5e" });
    const { code } = await world.comment(
      { username: "sue" },
      { article: "talk-5e", body_markdown: "Secret", deleted: true },
    );
    const hidden = await world.comment(
      { username: "sue" },
      { article: "talk-5e", body_markdown: "Rude", hidden: true },
    );
    await world.comment(lena, { article: "talk-5e", parent: code, body_markdown: "An answer" });
    for (const url of [
      "/lena/talk-5e",
      "/lena/talk-5e/comments",
      `/comments/${code}`,
      `/comments/${hidden.code}`,
    ]) {
      const page = await get(url);
      expect(page.words).toMatch(/This comment (was deleted|is hidden)\./);
      expect(page.text).not.toMatch(/Secret|Rude|href="\/sue"/);
    }
    expect(await get(`/comments/${code}`)).toMatchObject({ h1: "A comment", isHidden: true });
    expect((await get(`/comments/${code}`)).words).toContain("An answer");
    expect(await get("/comments/zzz")).toMatchObject({ status: 404 });
  });

  test("of an article that was published elsewhere first leads there", async () => {
    await world.article(lena, { slug: "copied-6f", canonical_url: "https://lena.example/first" });
    const page = await get("/lena/copied-6f");
    expect(page.words).toContain("First published at lena.example");
    expect(page.links).toContain("https://lena.example/first");
    expect(page.canonical).toBe("https://lena.example/first");
    await world.article(lena, { slug: "own-7g", canonical_url: "https://ink.example/lena/own-7g" });
    expect((await get("/lena/own-7g")).words).not.toContain("First published");
  });

  test("of an unknown tag is not found, while a tag without articles shows similar ones", async () => {
    await world.article(lena, { slug: "needles-1k", tags: ["knitting"] });
    expect(await get("/t/nosuchtag")).toMatchObject({ status: 404, h1: "Page not found", isHidden: true });
    const api = await world.get("/api/articles?tag=nosuchtag");
    expect({ status: api.status, text: api.text }).toEqual({ status: 200, text: "[]" });
    await world.tag({ name: "knit" });
    const page = await get("/t/knit");
    expect(page).toMatchObject({ status: 200, h1: "#knit", isHidden: true });
    expect(page.words).toContain("No articles with this tag");
    expect(page.links).toContain("/t/knitting");
  });

  test("of a series has its articles, be it one or none that is published", async () => {
    await world.article(lena, { slug: "alone-8h", title: "Alone", series: "Short" });
    await world.article(lena, { slug: "never-9i", series: "Drafts", published: false });
    const short = await get("/lena/series/Short");
    expect(short).toMatchObject({ status: 200, h1: "Short", isHidden: false });
    expect(short.words).toMatch(/Short 1 article Start reading/);
    expect((await get("/lena/alone-8h")).words).not.toContain("Series:");
    const drafts = await get("/lena/series/Drafts");
    expect(drafts).toMatchObject({ status: 200, isHidden: true });
    expect(drafts.words).toContain("None of its articles is published");
    expect(await get("/lena/series/Unknown")).toMatchObject({ status: 404 });
  });
});
