import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const LATER = new Date("2026-03-31T12:30:00Z");
let serial = 0;
let keys: Record<string, string>;
const world = worldForAll({ now: NOW });
beforeAll(
  async () =>
    void (keys = await world.keysOf({
      ada: "member",
      bob: "member",
      chief: "member",
      watcher: "moderator",
      boss: "admin",
    })),
);
beforeEach(() => world.setNow(NOW));

interface Shown {
  id: number;
  slug: string;
  path: string;
  collection_id: number | null;
}

const change = (id: number, article: unknown, { key = keys["ada"], headers = {}, method = "PUT" } = {}) =>
  world.request({ method, url: `/api/articles/${id}`, key, body: { article }, headers });

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

describe("changing an article", () => {
  test("leaves alone what isn't named, and renders a new body", async () => {
    const before = await written({ tags: ["one"], series: "S", main_image: "https://p.example/a.png" });
    const { status, body } = await change(before.id, { body_markdown: "*New* words\r\n" });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      body_markdown: "*New* words\r\n",
      body_html: "<p><em>New</em> words</p>\n",
      description: "New words",
    });
    expect(await read(before.id)).toEqual(body);
  });

  test("keeps a description that its author gave, until it is emptied", async () => {
    const { id } = await written({ description: "Mine." });
    expect((await change(id, { body_markdown: "Other." })).body).toMatchObject({ description: "Mine." });
    expect((await change(id, { description: "" })).body).toMatchObject({ description: "Other." });
  });

  test("clears tags by an empty list and the rest by null or an empty text", async () => {
    const { id } = await written({
      tags: ["one"],
      main_image: "https://p.example/a.png",
      canonical_url: "https://c.example/a",
      series: "Cleared",
    });
    const { body } = await change(id, { tags: [], main_image: "", canonical_url: null, series: null });
    expect(body).toMatchObject({ tags: [], tag_list: "", cover_image: null, collection_id: null });
    expect((body as { canonical_url: string; url: string }).canonical_url).toBe(
      (body as { url: string }).url,
    );
    expect(await seriesNamed("Cleared")).toEqual([]);
  });

  test("moves to a series of the article's owner, also when an admin edits", async () => {
    const { id } = await written({ series: "Before" });
    expect(await change(id, { series: "After" }, { key: keys["boss"] as string })).toMatchObject({
      status: 200,
    });
    const ada = await world.db
      .selectFrom("users")
      .select("id")
      .where("username", "=", "ada")
      .executeTakeFirstOrThrow();
    expect(await seriesNamed("After")).toMatchObject([{ user_id: ada.id }]);
    expect(await seriesNamed("Before")).toEqual([]);
  });

  test("is edited when its owner changes what is published, and only then", async () => {
    const { id } = await written();
    world.setNow(LATER);
    expect((await change(id, { title: "Draft again" })).body).toMatchObject({ edited_at: null });
    expect((await change(id, { published: true })).body).toMatchObject({ edited_at: null });
    expect((await change(id, { title: "By an admin" }, { key: keys["boss"] as string })).body).toMatchObject({
      edited_at: null,
    });
    expect((await change(id, { title: "By an admin" })).body).toMatchObject({ edited_at: null });
    expect((await change(id, { title: "By me" })).body).toMatchObject({ edited_at: "2026-03-31T12:30:00Z" });
  });

  test("keeps its final address whatever happens to it", async () => {
    const draft = await written();
    const { body } = await change(draft.id, { published: true, title: "A title" });
    const { slug } = body as Shown;
    expect(slug).toMatch(/^a-title-[0-9a-p]{1,4}$/);
    for (const step of [{ title: "Another" }, { published: false }, { published: true }]) {
      expect((await change(draft.id, step)).body).toMatchObject({ slug });
    }
  });

  test("moves with its organization, and is found at its former path", async () => {
    const guild = await world.organization({
      username: "guild",
      members: [{ username: "ada", role: "member" }],
    });
    const before = await written({ published: true });
    const { body } = await change(before.id, { organization_id: guild.id });
    expect(body).toMatchObject({ path: `/guild/${before.slug}`, organization: { username: "guild" } });
    expect(await world.get(`/api/articles${before.path}`)).toMatchObject({
      status: 200,
      body: { id: before.id },
    });
    expect((await change(before.id, { organization_id: null })).body).toMatchObject({
      path: `/guild/${before.slug}`,
    });
    const other = await world.organization();
    const refused = await change(before.id, { organization_id: other.id });
    expect(refused.body).toMatchObject({
      path: `/guild/${before.slug}`,
      warnings: [expect.stringContaining("organization_id")],
    });
    const byAdmin = await change(before.id, { organization_id: other.id }, { key: keys["boss"] as string });
    expect(byAdmin.body).toMatchObject({ organization: { username: other.username } });
  });

  test("that changes nothing is no change", async () => {
    const before = await written({ published: true, tags: ["same"] });
    const events = await world.db.selectFrom("events").select("id").execute();
    world.setNow(LATER);
    const { body, status } = await change(before.id, {
      title: (before as never as { title: string }).title,
      tags: ["same"],
    });
    expect(status).toBe(200);
    expect(body).toEqual(before);
    expect(await world.db.selectFrom("events").select("id").execute()).toEqual(events);
  });

  test("is allowed to its author and admins; to everybody else it isn't there", async () => {
    await world.organization({
      username: "club",
      members: [
        { username: "ada", role: "member" },
        { username: "chief", role: "admin" },
      ],
    });
    const club = await world.db
      .selectFrom("organizations")
      .select("id")
      .where("username", "=", "club")
      .executeTakeFirstOrThrow();
    for (const published of [true, false]) {
      const before = await written({ published, organization_id: club.id });
      for (const who of ["bob", "chief", "watcher"]) {
        expect(await change(before.id, { title: "Mine now" }, { key: keys[who] as string })).toMatchObject({
          status: 404,
        });
      }
      expect(await read(before.id)).toEqual(before);
      expect(await change(before.id, { title: "Ours" }, { key: keys["boss"] as string })).toMatchObject({
        status: 200,
      });
    }
    for (const id of ["2147483647", "99999999999", "abc"]) {
      expect(await change(id as never, { title: "x" })).toMatchObject({ status: 404 });
    }
  });

  test("goes by PATCH too", async () => {
    const { id } = await written();
    expect(await change(id, { title: "Patched" }, { method: "PATCH" })).toMatchObject({
      status: 200,
      body: { title: "Patched" },
    });
  });

  test.each([
    [null, "article param must be a JSON object. You provided article as a null"],
    [{}, "param is missing or the value is empty: article"],
    [{ title: null }, "Title can't be blank"],
    [{ body_markdown: null }, "Body markdown is missing: give a text, which may be empty"],
    [{ published: null }, "published must be true or false, not null"],
    [{ tags: ["a", "b", "c", "d", "e"] }, "Tag list exceed the maximum of 4 tags"],
    [{ collection_id: 424_242 }, "Collection must be one you have permission to post to"],
  ])("refuses %o and changes nothing", async (article, error) => {
    const before = await written({ published: true });
    expect(await change(before.id, article)).toMatchObject({ status: 422, body: { error, status: 422 } });
    expect(await read(before.id)).toEqual(before);
  });

  test("refuses another's collection, and one canonical URL for two published articles", async () => {
    const { id } = await world.db
      .insertInto("collections")
      .values({ user_id: (await world.user()).id, slug: "Theirs" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const draft = await written({ canonical_url: "https://c.example/shared" });
    expect(await change(draft.id, { collection_id: id })).toMatchObject({
      status: 422,
      body: { error: "Collection must be one you have permission to post to" },
    });
    const holder = await written({
      title: "Holder",
      canonical_url: "https://c.example/shared",
      published: true,
    });
    expect(await change(draft.id, { published: true })).toMatchObject({
      status: 422,
      body: { error: `Canonical url has already been taken by your article "Holder" (id ${holder.id})` },
    });
    expect(await change(holder.id, { published: false })).toMatchObject({ status: 200 });
    expect(await change(draft.id, { published: true })).toMatchObject({ status: 200 });
  });

  test("of a version that has changed is refused before its content is looked at", async () => {
    const { id } = await written({ published: true });
    const { headers } = await world.get(`/api/articles/${id}`, { key: keys["ada"] });
    const etag = String(headers["etag"]);
    const first = await change(id, { title: "First" }, { headers: { "if-match": etag } });
    expect(first.status).toBe(200);
    expect(await change(id, { title: null }, { headers: { "if-match": etag } })).toMatchObject({
      status: 412,
      body: { error: "precondition failed", status: 412 },
    });
    const next = { "if-match": String(first.headers["etag"]) };
    expect(await change(id, { title: "Second" }, { headers: next })).toMatchObject({ status: 200 });
    expect(await change(id, { title: "x" }, { headers: next, key: keys["bob"] as string })).toMatchObject({
      status: 404,
    });
  });
});

function seriesNamed(slug: string) {
  return world.db.selectFrom("collections").selectAll().where("slug", "=", slug).execute();
}
