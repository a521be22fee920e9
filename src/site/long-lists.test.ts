import { beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../../test/documents.ts";
import { worldForAll } from "../../test/world.ts";

const lena = { username: "lena" };

const world = worldForAll();
beforeAll(() => world.user(lena));
const get = (url: string) => readPage(world, url, { headers: { accept: "text/html" } });

describe("a series of more articles than a page shows", () => {
  const SERIES = "/lena/series/Weaving";
  const path = (number: number) => `/lena/part-${number}-x`;
  beforeAll(() =>
    world.articles(
      Array.from({ length: 101 }, (_, index) => ({
        author: "lena",
        title: `Part ${index + 1}`,
        slug: `part-${index + 1}-x`,
        body_markdown: "Some words.",
        published: true,
        published_at: new Date(Date.UTC(2024, 0, index + 1)).toISOString(),
        series: "Weaving",
      })),
    ),
  );

  test("has its others on further pages", async () => {
    const first = await get(SERIES);
    expect(first.words).toContain("101 articles, in order");
    expect(first.links).toContain(path(100));
    expect(first.links).not.toContain(path(101));
    expect(first.links).toContain(`${SERIES}?page=2`);
    const second = await get(`${SERIES}?page=2`);
    expect(second).toMatchObject({ status: 200, isHidden: false });
    expect(second.words).toContain("101 articles, in order");
    expect(second.words).not.toContain("Start reading");
    expect(second.links.filter((link) => link.startsWith("/lena/part-"))).toContain(path(101));
    expect(second.links).not.toContain(path(100));
    expect(second.links).toContain(SERIES);
    const behind = await get(`${SERIES}?page=3`);
    expect(behind).toMatchObject({ status: 200, isHidden: true });
    expect(behind.words).toContain("No more articles");
    expect(behind.links).toContain(SERIES);
  });

  test("says beside an article that these are the first ones, and leads to all", async () => {
    const article = await get(path(1));
    expect(article.links).toContain(path(100));
    expect(article.links).not.toContain(path(101));
    expect(article.words).toContain("The first 100 of its articles. All articles of this series");
    await world.article(lena, { slug: "short-1-x", series: "Short" });
    await world.article(lena, { slug: "short-2-x", series: "Short" });
    const short = await get("/lena/short-1-x");
    expect(short.words).toContain("Series: Short");
    expect(short.words).not.toContain("The first");
  });
});

test("a person's series continue on further pages", async () => {
  await world.user({ username: "mara" });
  const names = Array.from({ length: 101 }, (_, index) => `Series ${index + 1}`);
  await world.articles(
    names.map((series, index) => ({
      author: "mara",
      title: "A beginning",
      slug: `beginning-${index + 1}-x`,
      body_markdown: "Some words.",
      published: true,
      published_at: new Date(Date.UTC(2024, 0, 200 - index)).toISOString(),
      series,
    })),
  );
  const first = await get("/mara?tab=series");
  expect(first.links).toContain("/mara/series/Series%20100");
  expect(first.links).not.toContain("/mara/series/Series%20101");
  expect(first.links).toContain("/mara?tab=series&page=2");
  const second = await get("/mara?tab=series&page=2");
  expect(second.links).toContain("/mara/series/Series%20101");
  expect((await get("/mara?tab=series&page=3")).words).toContain("No more series");
});

describe("an organization of more members than its page shows", () => {
  beforeAll(async () => {
    const members = Array.from({ length: 51 }, (_, index) => ({
      username: `weaver_${index + 1}`,
      role: "member",
    }));
    for (const { username } of members) await world.user({ username });
    await world.organization({ username: "guild", members });
  });

  test("has the first ones on its page, and all on pages of their own", async () => {
    const page = await get("/guild");
    expect(page.links).toContain("/weaver_50");
    expect(page.links).not.toContain("/weaver_51");
    expect(page.words).toContain("All members");
    expect(page.links).toContain("/guild?tab=members");
    const first = await get("/guild?tab=members");
    expect(first.links).toContain("/weaver_50");
    expect(first.links).toContain("/guild?tab=members&page=2");
    const second = await get("/guild?tab=members&page=2");
    expect(second.links).toContain("/weaver_51");
    expect(second.links).not.toContain("/weaver_50");
    const behind = await get("/guild?tab=members&page=3");
    expect(behind).toMatchObject({ status: 200, isHidden: true });
    expect(behind.words).toContain("No more members");
    expect(behind.links).toContain("/guild?tab=members");
  });

  test("no more than that: its page shows them all", async () => {
    await world.organization({ username: "pair", members: [{ username: "weaver_1", role: "member" }] });
    const page = await get("/pair");
    expect(page.links).toContain("/weaver_1");
    expect(page.words).not.toContain("All members");
    await world.organization({ username: "nobodys" });
    expect((await get("/nobodys?tab=members")).words).toContain("No members yet");
  });

  test("only organizations have members", async () => {
    expect((await get("/lena?tab=members")).status).toBe(404);
  });
});

test("a comment with more answers than a page shows has the others on further pages", async () => {
  await world.article(lena, { slug: "talk-1-x" });
  const { code } = await world.comment(lena, { article: "talk-1-x", body_markdown: "The question" });
  await world.comments(
    Array.from({ length: 101 }, (_, index) => ({
      author: "lena",
      article: "talk-1-x",
      parent: code,
      body_markdown: `Answer ${index + 1}.`,
    })),
  );
  const first = await get(`/comments/${code}`);
  expect(first.words).toContain("Answer 100.");
  expect(first.words).not.toContain("Answer 101.");
  expect(first.links).toContain(`/comments/${code}?page=2`);
  const second = await get(`/comments/${code}?page=2`);
  expect(second.words).toContain("The question");
  expect(second.words).toContain("Answer 101.");
  expect(second.words).not.toContain("Answer 100.");
  const behind = await get(`/comments/${code}?page=3`);
  expect(behind).toMatchObject({ status: 200, isHidden: true });
  expect(behind.words).toContain("No more comments");
  expect(behind.links).toContain(`/comments/${code}`);
});
