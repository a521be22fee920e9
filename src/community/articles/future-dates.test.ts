import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import * as vocabulary from "../../search/vocabulary.ts";

const NOON = new Date("2026-03-31T12:00:00Z");
const ELEVEN = new Date("2026-03-31T11:00:00Z");

let article: { id: number; slug: string };
let key: string;
let readerKey: string;

const world = worldForAll({ now: NOON });
beforeAll(async () => {
  const ada = await world.user({ username: "ada" });
  key = await world.key(ada);
  readerKey = await world.key(await world.user({ username: "bob" }));
  const fields = { tags: ["clocks"], description: "Of time." };
  await world.article(ada, { ...fields, title: "Yesterday's clock", published_at: "2026-03-30T12:00:00Z" });
  article = await world.article(ada, {
    ...fields,
    title: "The newest clock",
    slug: "the-newest-clock",
    body_markdown: "It ticks.",
    video_source_url: "https://videos.example/clock.m3u8",
    video_thumbnail_url: "https://videos.example/clock.jpg",
    published_at: NOON.toISOString(),
  });
  await world.reaction({ user: "bob", article: article.slug, category: "readinglist" });
  await vocabulary.addUpChanges(world.db);
});

/** Any write invalidates cached answers. */
async function setClock(at: Date): Promise<void> {
  world.setNow(at);
  await world.user();
}

const LISTS = [
  "/api/articles",
  "/api/articles?per_page=1",
  "/api/articles/latest",
  "/api/articles?tag=clocks",
  "/api/articles?tags=clocks",
  "/api/articles?username=ada",
  "/api/articles?top=7",
  "/api/articles?state=recent",
  "/api/articles/search?q=clock",
  "/api/articles/search?q=newest+clock",
  "/api/articles/search?q=clock&top=7",
  "/api/articles/search?q=clck",
  "/api/articles/search?tag=clocks",
  "/api/videos",
  "/api/readinglist",
  "/feed.json",
  "/sitemap.xml",
];

describe("an article that the clock was set back behind", () => {
  beforeEach(() => setClock(ELEVEN));

  test.each(LISTS)("is not in %s before its date, and there again at its date", async (url) => {
    const before = await world.get(url, { key: readerKey });
    expect(before.status).toBe(200);
    expect(before.text).not.toContain(article.slug);
    await setClock(NOON);
    const after = await world.get(url, { key: readerKey });
    expect(after.text).toContain(article.slug);
  });

  test("leaves no gap in a list", async () => {
    const { body } = await world.get("/api/articles?per_page=1");
    expect(body).toMatchObject([{ title: "Yesterday's clock" }]);
  });

  test.each(["id", "slug", "path", "by_path"])("is not read by its %s before its date", async (by) => {
    const urls: Record<string, string> = {
      id: `/api/articles/${article.id}`,
      slug: `/api/articles/${article.slug}`,
      path: `/api/articles/ada/${article.slug}`,
      by_path: `/api/articles/by_path?url=/ada/${article.slug}`,
    };
    const url = urls[by] ?? "";
    expect((await world.get(url)).status).toBe(404);
    expect((await world.get(url, { key: readerKey })).status).toBe(404);
    expect((await world.get(url, { key })).status).toBe(200);
    await setClock(NOON);
    expect((await world.get(url)).status).toBe(200);
  });

  test("is still among its author's own", async () => {
    expect((await world.get("/api/articles/me", { key })).text).toContain(article.slug);
  });
});
