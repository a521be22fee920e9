import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const LATER = new Date("2026-03-31T12:30:00Z");
let serial = 0;
let keys: Record<string, string>;
const world = worldForAll({ now: NOW });
beforeAll(
  async () =>
    void (keys = await world.keysOf({ ada: "member", bob: "member", watcher: "moderator", boss: "admin" })),
);
beforeEach(() => world.setNow(NOW));

interface Shown {
  id: number;
}

const change = (id: number, article: unknown) =>
  world.request({ method: "PUT", url: `/api/articles/${id}`, key: keys["ada"], body: { article } });

async function written(fields: Record<string, unknown> = {}): Promise<Shown> {
  const article = { title: `Article ${++serial}`, body_markdown: "Some words.", ...fields };
  const { body, status } = await world.request({
    method: "POST",
    url: "/api/articles",
    key: keys["ada"],
    body: { article },
  });
  expect(status).toBe(201);
  return body as Shown;
}

const read = async (id: number) => (await world.get(`/api/articles/${id}`, { key: keys["ada"] })).body;

describe("publishing and unpublishing", () => {
  const shown = async (id: number) => (await world.get(`/api/articles/${id}`)).status;

  test("keeps the first date, and hides it while unpublished", async () => {
    const { id } = await written({ published: true });
    world.setNow(LATER);
    expect((await change(id, { published: false })).body).toMatchObject({
      published_at: null,
      published_timestamp: "",
      readable_publish_date: null,
    });
    expect(await shown(id)).toBe(404);
    expect((await change(id, { published: true })).body).toMatchObject({
      published_at: "2026-03-31T12:00:00Z",
    });
    expect(await shown(id)).toBe(200);
    expect(await typesOf(id)).toEqual([
      "article_created",
      "article_published",
      "article_updated",
      "article_unpublished",
      "article_updated",
      "article_published",
    ]);
  });

  test("ignores another date for what has been published, with a word about it", async () => {
    const { id } = await written({ published: true });
    const { status, body } = await change(id, { published_at: "2026-05-01T00:00:00Z" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      published_at: "2026-03-31T12:00:00Z",
      warnings: ["Attribute published_at was ignored: an article keeps the date of its first publication."],
    });
    expect((await change(id, { published_at: "2026-03-31T12:00:30Z" })).body).not.toHaveProperty("warnings");
  });

  test("schedules, moves and cancels, and becomes public by itself", async () => {
    const { id } = await written();
    const at = (published_at: string) => change(id, { published: true, published_at });
    expect((await at("2026-04-01T00:00:00Z")).body).toMatchObject({ published_at: "2026-04-01T00:00:00Z" });
    expect((await change(id, { title: "Still waiting" })).body).toMatchObject({
      published_at: "2026-04-01T00:00:00Z",
    });
    expect((await change(id, { published: true })).body).toMatchObject({
      published_at: "2026-04-01T00:00:00Z",
    });
    expect((await at("2026-04-02T00:00:00Z")).body).toMatchObject({ published_at: "2026-04-02T00:00:00Z" });
    expect((await change(id, { published: false })).body).toMatchObject({ published_at: null });
    expect((await at("2026-03-31T12:10:00Z")).body).toMatchObject({ published_at: "2026-03-31T12:10:00Z" });
    expect(await shown(id)).toBe(404);
    // Its date has come, and no process has published it yet.
    world.setNow(LATER);
    expect((await change(id, { title: "Out" })).body).toMatchObject({ published_at: "2026-03-31T12:10:00Z" });
    expect(await shown(id)).toBe(200);
    expect((await typesOf(id)).filter((type) => type === "article_published")).toHaveLength(1);
  });

  const unpublish = (id: number, who: string, headers: Record<string, string> = {}) =>
    world.request({ method: "PUT", url: `/api/articles/${id}/unpublish`, key: keys[who], headers });

  test("by its own operation, for the author, moderators and admins, twice without harm", async () => {
    for (const who of ["ada", "watcher", "boss"]) {
      const { id } = await written({ published: true });
      expect(await unpublish(id, who)).toMatchObject({ status: 204, text: "" });
      expect(await unpublish(id, who)).toMatchObject({ status: 204 });
      expect(await shown(id)).toBe(404);
      expect((await typesOf(id)).filter((type) => type === "article_unpublished")).toHaveLength(1);
    }
  });

  test("by its own operation is refused when it has changed since, to those who may do it", async () => {
    const { id } = await written({ published: true });
    const etag = String((await world.get(`/api/articles/${id}`)).headers["etag"]);
    await change(id, { title: "Changed" });
    const old = { "if-match": etag };
    for (const who of ["ada", "watcher", "boss"]) {
      expect(await unpublish(id, who, old)).toMatchObject({
        status: 412,
        body: { error: "precondition failed", status: 412 },
      });
    }
    expect(await unpublish(id, "bob", old)).toMatchObject({ status: 401 });
    expect(await unpublish(2_147_483_647, "ada", old)).toMatchObject({ status: 404 });
    expect(await shown(id)).toBe(200);
    const current = String((await world.get(`/api/articles/${id}`)).headers["etag"]);
    expect(await unpublish(id, "watcher", { "if-match": current })).toMatchObject({ status: 204 });
    expect(await unpublish(id, "ada", old)).toMatchObject({ status: 412 });
  });

  test("is refused to those who may only read the article, and to others there is none", async () => {
    const { id } = await written({ published: true });
    const draft = await written();
    const scheduled = await written({ published: true, published_at: "2026-04-01T00:00:00Z" });
    expect(await unpublish(id, "bob")).toMatchObject({ status: 401 });
    for (const one of [draft, scheduled]) {
      for (const who of ["bob", "watcher"])
        expect(await unpublish(one.id, who)).toMatchObject({ status: 404 });
    }
    expect(await shown(id)).toBe(200);
    expect(await unpublish(2_147_483_647, "boss")).toMatchObject({ status: 404 });
    expect(await unpublish(draft.id, "ada")).toMatchObject({ status: 204 });
    expect(await unpublish(scheduled.id, "ada")).toMatchObject({ status: 204 });
    expect(await read(scheduled.id)).toMatchObject({ published_at: null });
  });
});

describe("an article that staff unpublished", () => {
  const put = (id: number, who: string, article: object) =>
    world.request({ method: "PUT", url: `/api/articles/${id}`, key: keys[who], body: { article } });
  const takeDown = (id: number, who: string, query = "") =>
    world.request({ method: "PUT", url: `/api/articles/${id}/unpublish${query}`, key: keys[who] });
  const WAYS: object[] = [
    { published: true },
    { published: true, published_at: "2026-04-01T00:00:00Z" },
    { body_markdown: "---\ntitle: Again\npublished: true\n---\nx" },
  ];
  const refusal = (reason: string) => ({
    status: 422,
    body: {
      error: `Published can't be true: staff unpublished this article, and only an admin can publish it again. Their reason: ${reason}`,
    },
  });

  test("is not published by its author in any way, who reads the reason, and may still change it", async () => {
    for (const who of ["watcher", "boss"]) {
      const { id } = await written({ published: true });
      expect(await takeDown(id, who, "?note=Name%20your%20sources")).toMatchObject({ status: 204 });
      expect(await takeDown(id, "ada")).toMatchObject({ status: 204 });
      for (const way of WAYS) expect(await put(id, "ada", way)).toMatchObject(refusal("Name your sources"));
      expect(await put(id, "ada", { title: `Better ${id}`, published: false })).toMatchObject({
        status: 200,
      });
      expect((await world.get(`/api/articles/${id}`)).status).toBe(404);
      expect((await typesOf(id)).filter((type) => type === "article_published")).toHaveLength(1);
    }
  });

  test("stays so too where an admin cancels a date, edits it, or finds it unpublished", async () => {
    const scheduled = await written({ published: true, published_at: "2026-04-01T00:00:00Z" });
    await takeDown(scheduled.id, "boss");
    const edited = await written({ published: true });
    await put(edited.id, "boss", { published: false });
    const own = await written({ published: true });
    await takeDown(own.id, "ada");
    await takeDown(own.id, "watcher");
    for (const { id } of [scheduled, edited, own])
      for (const way of WAYS) expect(await put(id, "ada", way)).toMatchObject(refusal("none given"));
  });

  test("is published by an admin, and is its author's again", async () => {
    const { id } = await written({ published: true });
    await takeDown(id, "watcher");
    expect(await put(id, "boss", { published: true })).toMatchObject({ status: 200 });
    await takeDown(id, "ada");
    expect(await put(id, "ada", { published: true })).toMatchObject({ status: 200 });
    await takeDown(id, "ada");
    expect(await put(id, "boss", { title: `Corrected ${id}` })).toMatchObject({ status: 200 });
    expect(await put(id, "ada", { published: true })).toMatchObject({ status: 200 });
  });

  test("stays so when an import brings it again", async () => {
    const { id } = await written({ published: true });
    await takeDown(id, "boss", "?note=Spam");
    const { slug, title } = await world.db
      .selectFrom("articles")
      .select(["slug", "title"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await world.article({ username: "ada" }, { slug, title, published: true });
    expect((await world.get(`/api/articles/${id}`)).status).toBe(404);
    expect(await put(id, "ada", { published: true })).toMatchObject(refusal("Spam"));
  });
});

async function typesOf(id: number): Promise<string[]> {
  const events = await world.db.selectFrom("events").select(["type", "payload"]).orderBy("id").execute();
  return events
    .filter(({ payload }) => (payload as { article_id?: number }).article_id === id)
    .map(({ type }) => type);
}
