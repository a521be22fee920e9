import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

describe("reading one article", () => {
  let published: { id: number };
  let draft: { id: number };
  let keys: Record<string, string>;

  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    keys = await world.keysOf({
      ada: "member",
      chief: "member",
      mate: "member",
      stranger: "member",
      watcher: "moderator",
      boss: "admin",
    });
    const members = [
      { username: "chief", role: "admin" },
      { username: "mate", role: "member" },
    ];
    await world.organization({ username: "guild", members });
    const ada = { username: "ada" };
    published = await world.article(ada, {
      slug: "hand-made-paper",
      title: "Hand-made paper",
      tags: ["paper", "craft"],
      body_markdown: "---\ntitle: Hand-made paper\n---\n# Pulp\n\nTear *old* letters.",
      published_at: "2024-05-06T07:08:09.123Z",
      canonical_url: "https://elsewhere.example/paper",
      main_image: "https://pictures.example/paper.jpg",
    });
    draft = await world.article(ada, { slug: "not-yet", published: false, organization: "guild" });
  });

  test.each([
    ["its number", () => `/api/articles/${published.id}`],
    ["its slug", () => "/api/articles/hand-made-paper"],
    ["its path", () => "/api/articles/ada/hand-made-paper"],
    ["its path in other case", () => "/api/articles/ADA/Hand-Made-Paper"],
    ["its path in one segment", () => "/api/articles/ada%2Fhand-made-paper"],
    ["its path in a parameter", () => "/api/articles/by_path?url=/ada/hand-made-paper"],
    ["its address in a parameter", () => "/api/articles/by_path?url=https://ink.example/ada/hand-made-paper"],
  ])("by %s", async (_way, url) => {
    expect(await world.get(url())).toMatchObject({ status: 200, body: { slug: "hand-made-paper" } });
  });

  test("shows the whole article, with the two tag fields swapped against lists", async () => {
    const { body } = await world.get("/api/articles/hand-made-paper");
    expect(body).toEqual({
      type_of: "article",
      id: published.id,
      title: "Hand-made paper",
      description: "Tear old letters.",
      readable_publish_date: "May 6 '24",
      slug: "hand-made-paper",
      path: "/ada/hand-made-paper",
      url: "https://ink.example/ada/hand-made-paper",
      comments_count: 0,
      public_reactions_count: 0,
      positive_reactions_count: 0,
      collection_id: null,
      published_timestamp: "2024-05-06T07:08:09Z",
      cover_image: "https://pictures.example/paper.jpg",
      social_image: "https://pictures.example/paper.jpg",
      canonical_url: "https://elsewhere.example/paper",
      created_at: "2024-05-06T07:08:09Z",
      edited_at: null,
      crossposted_at: null,
      published_at: "2024-05-06T07:08:09Z",
      last_comment_at: "2024-05-06T07:08:09Z",
      reading_time_minutes: 1,
      tag_list: "paper, craft",
      tags: ["paper", "craft"],
      body_html: expect.stringContaining("<em>old</em> letters"),
      body_markdown: "---\ntitle: Hand-made paper\n---\n# Pulp\n\nTear *old* letters.",
      user: expect.objectContaining({ username: "ada" }),
    });
    expect((body as { body_html: string }).body_html).not.toContain("title:");
  });

  test.each([
    "/api/articles/987654",
    "/api/articles/99999999999",
    "/api/articles/01",
    "/api/articles/no-such-slug",
    "/api/articles/bo/hand-made-paper",
    "/api/articles/ada/no-such-slug",
    "/api/articles/by_path?url=/ada/hand-made-paper/more",
    "/api/articles/not-yet",
    "/api/articles/onboarding",
    "/api/articles/me/drafts",
    "/api/articles/a%00b",
  ])("%s is not found", async (url) => {
    expect(await world.get(url)).toMatchObject({ status: 404, body: { error: "not found", status: 404 } });
  });

  test("by_path needs its parameter", async () => {
    expect(await world.get("/api/articles/by_path")).toMatchObject({
      status: 422,
      body: { error: "url is missing: add it to the query" },
    });
  });

  test.each([
    ["ada", 200],
    ["chief", 200],
    ["boss", 200],
    ["mate", 404],
    ["watcher", 404],
    ["stranger", 404],
  ])("a draft under an organization, read by %s, is %i", async (username, status) => {
    const answer = await world.get(`/api/articles/${draft.id}`, { key: keys[username] });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.headers["cache-control"]).toBe("private, no-store");
  });

  test("a draft has no dates of publication and has its version for If-Match; an article to come is its author's alone", async () => {
    const { body, headers } = await world.get(`/api/articles/${draft.id}`, { key: keys["ada"] });
    expect(body).toMatchObject({
      published_at: null,
      published_timestamp: "",
      readable_publish_date: null,
      last_comment_at: "2017-01-01T05:00:00Z",
    });
    expect(headers["etag"]).toMatch(/^W\/"/);
    await world.article({ username: "ada" }, { slug: "tomorrow", published_at: "2026-04-01T12:00:00Z" });
    expect((await world.get("/api/articles/tomorrow")).status).toBe(404);
    expect((await world.get("/api/articles/tomorrow", { key: keys["ada"] })).status).toBe(200);
  });

  test("a published article is the same for everybody, key or not", async () => {
    const open = await world.get("/api/articles/hand-made-paper");
    const keyed = await world.get("/api/articles/hand-made-paper", { key: keys["stranger"] });
    expect(keyed.text).toBe(open.text);
    expect(keyed.headers["cache-control"]).toBe("public, no-cache");
    expect(keyed.headers["vary"]).toBe("Accept, Accept-Encoding, api-key");
  });

  test("a change shows at once, under another version", async () => {
    await world.article({ username: "ada" }, { slug: "changing", title: "Before" });
    const before = await world.get("/api/articles/changing");
    await world.article({ username: "ada" }, { slug: "changing", title: "After" });
    const after = await world.get("/api/articles/changing");
    expect(after.body).toMatchObject({ title: "After" });
    expect(after.headers["etag"]).not.toBe(before.headers["etag"]);
  });
});
