import { beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World, worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

describe("an article that can't be created", () => {
  let key: string;
  const world = worldForAll({ now: NOW });
  beforeAll(async () => void (key = await world.key(await world.user({ username: "ada" }))));

  const create = (article: Record<string, unknown>) =>
    world.request({ method: "POST", url: "/api/articles", key, body: { article } });

  test("is unwrapped with one sentence about what stands in the place of the article", async () => {
    const post = (body: unknown) => world.request({ method: "POST", url: "/api/articles", key, body });
    const sentence = (name: string) =>
      `article param must be a JSON object. You provided article as a ${name}`;
    for (const [body, name] of [
      [{}, "null"],
      [{ title: "x", body_markdown: "y" }, "null"],
      [{ article: null }, "null"],
      [{ article: "x" }, "string"],
      [{ article: ["x"] }, "array"],
      [{ article: 7 }, "number"],
      [{ article: true }, "boolean"],
      [[], "null"],
    ] as const) {
      expect(await post(body)).toMatchObject({ status: 422, body: { error: sentence(name), status: 422 } });
    }
    const empty = "param is missing or the value is empty: article";
    expect(await post({ article: {} })).toMatchObject({ status: 422, body: { error: empty } });
    const none = await world.request({ method: "POST", url: "/api/articles", key });
    expect(none).toMatchObject({ status: 422, body: { error: sentence("null") } });
  });

  const long = "x".repeat(129);
  test.each([
    [{ body_markdown: "a" }, "Title can't be blank"],
    [{ title: "  ", body_markdown: "a" }, "Title can't be blank"],
    [{ title: null, body_markdown: "a" }, "Title can't be blank"],
    [{ title: "\u200b\u200b", body_markdown: "a" }, "Title can't be blank"],
    [{ title: "\u2800\u3164 \u00ad", body_markdown: "a" }, "Title can't be blank"],
    [{ title: "a\u0007b", body_markdown: "a" }, "Title must not contain control characters"],
    [{ body_markdown: '---\ntitle: "\\u200b"\n---\na' }, "Title can't be blank"],
    [
      { body_markdown: "---\ntitle: T\n\tpublished: true\n---\na" },
      "There was a problem parsing the front-matter YAML. Line 3: published is indented; begin the line with it.",
    ],
    [
      { body_markdown: `---\ntitle: T\na: ${"[".repeat(7_000)}\n---\na` },
      "There was a problem parsing the front-matter YAML. Line 3: it is nested more than 20 levels deep; write simple values.",
    ],
    [{ title: long, body_markdown: "a" }, "Title is too long (maximum is 128 characters)"],
    [{ title: 5, body_markdown: "a" }, "title must be a string, not a number"],
    [{ title: "T" }, "Body markdown is missing: give a text, which may be empty"],
    [{ title: "T", body_markdown: null }, "Body markdown is missing: give a text, which may be empty"],
    [
      { published: true },
      "Title can't be blank and Body markdown is missing: give a text, which may be empty",
    ],
    [
      { title: "T", body_markdown: "é".repeat(409_601) },
      "Body markdown is too long (maximum is 819200 bytes)",
    ],
    [{ title: "T", body_markdown: "a", published: "yes" }, "published must be true or false, not a string"],
    [
      { title: "T", body_markdown: "a", tags: ["a", "b", "c", "d", "e"] },
      "Tag list exceed the maximum of 4 tags",
    ],
    [
      { title: "T", body_markdown: "a", tags: ["#foo"] },
      'Tag "#foo" contains non-alphanumeric or prohibited unicode characters',
    ],
    [
      { title: "T", body_markdown: "a", tags: [7] },
      'tags must be an array of strings, such as ["garden", "beginners"]',
    ],
    [
      { title: "T", body_markdown: "a", main_image: "ftp://x" },
      "Main image must be an http or https address",
    ],
    [
      { title: "T", body_markdown: "a", main_image: `https://p.example/${"a".repeat(2_000)}` },
      "Main image is too long (maximum is 2000 bytes)",
    ],
    [
      { title: "T", body_markdown: "a", description: "d".repeat(16_385) },
      "Description is too long (maximum is 16384 characters)",
    ],
    [
      { title: "T", body_markdown: "a", collection_id: 999_999 },
      "Collection must be one you have permission to post to",
    ],
    [
      { title: "T", body_markdown: "a", collection_id: "x" },
      "Collection must be one you have permission to post to",
    ],
    [
      { title: "T", body_markdown: "a", series: "s".repeat(201) },
      "Series is too long (maximum is 200 characters)",
    ],
    [
      { title: "T", body_markdown: "a", published_at: "soon" },
      "published_at must be a date-time such as 2026-03-02T09:15:00Z",
    ],
    [
      { title: "T", body_markdown: "a", published: true, published_at: "2026-03-31T11:44:00Z" },
      "Published at only future or current published_at allowed",
    ],
    [
      { title: "T", body_markdown: "a", published: true, published_at: "2031-04-01T00:00:00Z" },
      "Published at must be at most 5 years ahead",
    ],
    [
      { title: long, body_markdown: "a", tags: ["a-b"] },
      'Title is too long (maximum is 128 characters) and Tag "a-b" contains non-alphanumeric or prohibited unicode characters',
    ],
  ])("number %# is refused and nothing is kept", async (article, error) => {
    const before = await countAll(world);
    expect(await create(article)).toMatchObject({ status: 422, body: { error, status: 422 } });
    expect(await countAll(world)).toEqual(before);
  });

  test("more than seven people can't be mentioned; unknown names don't count", async () => {
    for (let index = 1; index <= 8; index++) await world.user({ username: `friend_${index}` });
    const mention = (count: number) =>
      Array.from({ length: count }, (_, index) => `@friend_${index + 1}`).join(" ");
    const error = "You cannot mention more than 7 users in an article";
    expect(await create({ title: "Eight", body_markdown: mention(8) })).toMatchObject({
      status: 422,
      body: { error },
    });
    const strangers = `${mention(7)} @nobody_a @nobody_b \`@friend_8\``;
    expect(await create({ title: "Seven", body_markdown: strangers })).toMatchObject({ status: 201 });
  });

  test("the same title is refused for five minutes, and free again when the article is deleted", async () => {
    const first = await create({ title: "Twice", body_markdown: "a" });
    const error = "Title has already been used in the last five minutes";
    expect(await create({ title: " Twice", body_markdown: "b" })).toMatchObject({
      status: 422,
      body: { error },
    });
    const { id } = first.body as { id: number };
    expect(await world.request({ method: "DELETE", url: `/api/articles/${id}`, key })).toMatchObject({
      status: 204,
    });
    expect(await create({ title: "Twice", body_markdown: "b" })).toMatchObject({ status: 201 });
    world.setNow(new Date(NOW.getTime() + 300_000));
    expect(await create({ title: "Twice", body_markdown: "c" })).toMatchObject({ status: 201 });
    world.setNow(NOW);
  });

  test("a canonical URL belongs to one published article, and the refusal names the caller's own", async () => {
    const canonical_url = "https://elsewhere.example/once";
    const first = await create({ title: "Holder", body_markdown: "a", published: true, canonical_url });
    const { id } = first.body as { id: number };
    const again = { title: "Second", body_markdown: "a", canonical_url };
    expect(await create({ ...again, published: true })).toMatchObject({
      status: 422,
      body: { error: `Canonical url has already been taken by your article "Holder" (id ${id})` },
    });
    expect(await create(again)).toMatchObject({ status: 201 });
    const other = await world.key(await world.user({ username: "bob" }));
    const post = {
      method: "POST",
      url: "/api/articles",
      key: other,
      body: { article: { ...again, published: true } },
    };
    expect(await world.request(post)).toMatchObject({
      status: 422,
      body: { error: "Canonical url has already been taken" },
    });
  });
});

test("where only admins may post, everybody else is refused before their article is looked at", async () => {
  const world = await startWorld({ settings: { posting: "admins" } });
  const member = await world.key(await world.user());
  const admin = await world.key(await world.user({ role: "admin" }));
  const post = (key: string) =>
    world.request({ method: "POST", url: "/api/articles", key, body: { article: { title: " " } } });
  expect(await post(member)).toMatchObject({ status: 401 });
  expect(await post(admin)).toMatchObject({ status: 422 });
  await world.stop();
});

test("where only admins may post, others change what they have, and publish nothing that isn't", async () => {
  const world = await startWorld({ settings: { posting: "admins" } });
  const author = await world.user({ role: "member" });
  const keys = [await world.key(author), await world.key(await world.user({ role: "admin" }))];
  const put = (id: number, fields: object, key = keys[0]) =>
    world.request({ method: "PUT", url: `/api/articles/${id}`, key, body: { article: fields } });
  const later = new Date(Date.now() + 86_400_000).toISOString();
  for (const state of ["draft", "unpublished"]) {
    const { id } = await world.article(author, { published: state !== "draft" });
    await put(id, { published: false });
    expect(await put(id, { title: "Changed" })).toMatchObject({ status: 200, body: { title: "Changed" } });
    for (const fields of [
      { published: true },
      { published: true, published_at: later },
      { body_markdown: "---\ntitle: a\npublished: true\n---\nb" },
    ]) {
      expect([state, await put(id, fields)]).toMatchObject([
        state,
        { status: 401, body: { error: "unauthorized", status: 401 } },
      ]);
    }
    expect((await world.get(`/api/articles/${id}`)).status).toBe(404);
    expect(await put(id, { published: true }, keys[1])).toMatchObject({ status: 200 });
    expect(await put(id, { published: true, title: "Again" })).toMatchObject({ status: 200 });
    expect(await put(id, { published: false })).toMatchObject({ status: 200 });
  }
  await world.stop();
});

async function countAll(world: World) {
  const tables = ["articles", "events", "tags", "collections", "published_articles"] as const;
  const count = (table: (typeof tables)[number]) =>
    world.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<string>().as("count"))
      .executeTakeFirstOrThrow();
  return Promise.all(tables.map(count));
}
