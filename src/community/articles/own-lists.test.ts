import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

describe("an author's own articles", () => {
  let key: string;
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    const ada = await world.user({ username: "ada" });
    key = await world.key(ada);
    const at = (slug: string, fields: object) => world.article(ada, { slug, title: slug, ...fields });
    await at("old", { published_at: "2024-01-01T00:00:00.123Z", body_markdown: "Old\r\n", tags: ["a", "b"] });
    await at("new", { published_at: "2026-01-01T00:00:00Z", imported_page_views_count: 7 });
    await at("soon", { published_at: "2026-05-01T00:00:00Z" });
    await at("taken-back", {
      published: false,
      first_published_at: "2023-01-01T00:00:00Z",
      created_at: "2023-01-01T00:00:00Z",
    });
    await at("draft", { published: false, created_at: "2026-02-01T00:00:00Z" });
    await at("older-draft", { published: false, created_at: "2025-02-01T00:00:00Z" });
    await world.article(await world.user(), { slug: "somebody-elses" });
  });

  const slugs = async (url: string) => {
    const { body, status } = await world.get(url, { key });
    expect(status).toBe(200);
    return (body as { slug: string }[]).map(({ slug }) => slug);
  };

  test("are listed by state, those without a date first and then the newest", async () => {
    expect(await slugs("/api/articles/me")).toEqual(["new", "old"]);
    expect(await slugs("/api/articles/me/published")).toEqual(["new", "old"]);
    expect(await slugs("/api/articles/me/unpublished")).toEqual(["draft", "older-draft", "taken-back"]);
    expect(await slugs("/api/articles/me/all")).toEqual([
      "draft",
      "older-draft",
      "taken-back",
      "soon",
      "new",
      "old",
    ]);
  });

  test("are shown with their bodies and dates to the millisecond, and nothing else", async () => {
    const { body, headers } = await world.get("/api/articles/me?per_page=1&page=2", { key });
    expect(body).toEqual([
      {
        type_of: "article",
        id: expect.any(Number),
        title: "old",
        description: "Old",
        published: true,
        published_at: "2024-01-01T00:00:00.123Z",
        slug: "old",
        path: "/ada/old",
        url: "https://ink.example/ada/old",
        comments_count: 0,
        public_reactions_count: 0,
        page_views_count: 0,
        published_timestamp: "2024-01-01T00:00:00Z",
        body_markdown: "Old\r\n",
        positive_reactions_count: 0,
        cover_image: null,
        tag_list: ["a", "b"],
        canonical_url: "https://ink.example/ada/old",
        reading_time_minutes: 1,
        user: expect.objectContaining({ username: "ada" }),
      },
    ]);
    expect(headers["cache-control"]).toBe("private, no-store");
  });

  test("say of a scheduled one that it is published, with its date, and of an unpublished one nothing", async () => {
    const { body } = await world.get("/api/articles/me/all", { key });
    expect(body).toMatchObject([
      {},
      {},
      { slug: "taken-back", published: false, published_at: null, published_timestamp: "" },
      { slug: "soon", published: true, published_at: "2026-05-01T00:00:00.000Z" },
      { slug: "new", page_views_count: 7 },
      {},
    ]);
  });

  test("are paged, with links to the pages that exist, and need a key", async () => {
    expect(await slugs("/api/articles/me/all?per_page=4&page=2")).toEqual(["new", "old"]);
    const { headers } = await world.get("/api/articles/me/all?per_page=2&page=2", { key });
    const link = (page: number, rel: string) =>
      `<https://ink.example/api/articles/me/all?per_page=2&page=${page}>; rel="${rel}"`;
    expect(headers["link"]).toBe([link(1, "first"), link(1, "prev"), link(3, "next")].join(", "));
    expect(await slugs("/api/articles/me/all?page=2147483647&per_page=1000")).toEqual([]);
    expect(await world.get("/api/articles/me?per_page=1001", { key })).toMatchObject({ status: 422 });
    expect(await world.get("/api/articles/me?page=0", { key })).toMatchObject({ status: 422 });
    for (const path of ["", "/published", "/unpublished", "/all"]) {
      expect(await world.get(`/api/articles/me${path}`)).toMatchObject({ status: 401 });
    }
    expect(await world.get("/api/articles/me/other", { key })).toMatchObject({ status: 404 });
  });
});
