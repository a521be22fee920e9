import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { snapshot } from "../../../test/own-database.ts";
import { startWorld, type World } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");

let world: World;
let ada: Awaited<ReturnType<World["user"]>>;
let bob: Awaited<ReturnType<World["user"]>>;
let key: string;
let keyOfAda: string;
let article: { id: number };
beforeAll(async () => {
  world = await startWorld({ now: NOW });
  ada = await world.user({ username: "ada" });
  bob = await world.user({ username: "bob", name: "Bob" });
  key = await world.key(bob);
  keyOfAda = await world.key(ada);
});
beforeEach(async () => {
  article = await world.article(ada);
});
afterAll(() => world.stop());

interface Options {
  key?: string | undefined;
  headers?: Record<string, string>;
}

const post = (comment: object, { key: by = key, headers = {} }: Options = {}) =>
  world.request({ method: "POST", url: "/api/comments", key: by, headers, body: { comment } });
const put = (code: string, comment: object, by: string | undefined = key) =>
  world.request({ method: "PUT", url: `/api/comments/${code}`, key: by, body: { comment } });
const remove = (code: string, by: string | undefined = key) =>
  world.request({ method: "DELETE", url: `/api/comments/${code}`, key: by });
const say = async (comment: object = {}) =>
  (await post({ a_id: article.id, body_markdown: "Nice", ...comment })).body as { id_code: string };
const error = (status: number, sentence: unknown) => ({ status, body: { error: sentence, status } });

/** The answer to a request that changes nothing. */
async function refused(ask: () => ReturnType<typeof post>) {
  const before = await snapshot(world.db);
  const { status, body } = await ask();
  expect(await snapshot(world.db)).toEqual(before);
  return { status, body };
}

describe("POST /api/comments", () => {
  test("writes a comment and a reply, as readers see them at once", async () => {
    const { status, body, headers } = await post({ a_id: article.id, body_markdown: "Nice *weave*" });
    const { id_code } = body as { id_code: string };
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        type_of: "comment",
        id_code,
        created_at: "2026-03-31T12:00:00Z",
        body_html: "<p>Nice <em>weave</em></p>\n",
        user: expect.objectContaining({ username: "bob", name: "Bob", user_id: bob.id }),
        children: [],
      },
    });
    expect(headers["location"]).toBe(`https://ink.example/api/comments/${id_code}`);
    const reply = await say({ body_markdown: "Indeed", parent_id_code: id_code.toUpperCase() });
    const shown = await world.get(`/api/comments/${id_code}`);
    expect(shown.body).toEqual({ ...(body as object), children: [reply] });
    expect((await world.get(`/api/comments?a_id=${article.id}`)).body).toEqual([shown.body]);
    expect((await world.get(`/api/articles/${article.id}`)).body).toMatchObject({ comments_count: 2 });
  });

  test("writes one on an episode, ignores null, and names attributes that it doesn't know", async () => {
    await world.podcast({ slug: "loomcast" });
    const { id } = await world.episode("loomcast");
    const { status, body } = await post({
      p_id: String(id),
      a_id: null,
      parent_id_code: null,
      body_markdown: "Well said",
      score: 99,
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        body_html: "<p>Well said</p>\n",
        warnings: ['Attribute "score" is unknown and was ignored.'],
      }),
    ]);
    expect((await world.get(`/api/comments?p_id=${id}`)).body).toHaveLength(1);
  });

  test("writes it once for one Idempotency-Key", async () => {
    const options = { headers: { "idempotency-key": "one" } };
    const comment = { a_id: article.id, body_markdown: "Once" };
    const [first, second] = [await post(comment, options), await post(comment, options)];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect(second.headers).toMatchObject({
      "idempotent-replayed": "true",
      location: first.headers["location"],
    });
    expect((await world.get(`/api/comments?a_id=${article.id}`)).body).toHaveLength(1);
  });

  test.each<[string, object, number, string]>([
    ["blank", { body_markdown: " " }, 422, "Body markdown can't be blank"],
    ["null", { body_markdown: null }, 422, "Body markdown can't be blank"],
    ["absent", { body_markdown: undefined }, 422, "Body markdown can't be blank"],
    ["no text", { body_markdown: 5 }, 422, "Body markdown must be a string"],
    [
      "too long",
      { body_markdown: "x".repeat(25_001) },
      422,
      "Body markdown is too long (maximum is 25000 characters)",
    ],
    ["on nothing", { a_id: undefined }, 422, "a_id or p_id is missing: name the article or the episode"],
    [
      "on two things",
      { p_id: 1 },
      422,
      "a_id and p_id can't both be given: name either an article or an episode",
    ],
    ["on an unknown article", { a_id: 99_999_999 }, 404, "not found"],
    ["on what is no article", { a_id: "one" }, 404, "not found"],
    ["on an unknown episode", { a_id: undefined, p_id: 99_999_999 }, 404, "not found"],
    ["a reply to nothing", { parent_id_code: "zz" }, 404, "not found"],
    ["a reply to no code", { parent_id_code: 5 }, 422, "Parent id code must be a string"],
  ])("refuses one that is %s", async (_, change, status, sentence) => {
    const comment = { a_id: article.id, body_markdown: "Nice", ...change };
    expect(await refused(() => post(comment))).toEqual(error(status, sentence));
  });

  test("refuses one on an unpublished article, and a reply elsewhere or to a deleted comment", async () => {
    const draft = await world.article(ada, { published: false });
    const { id_code: parent_id_code } = await say();
    const other = await world.article(ada);
    for (const [a_id, more] of [
      [draft.id, {}],
      [other.id, { parent_id_code }],
    ] as const) {
      const comment = { a_id, body_markdown: "Nice", ...more };
      expect(await refused(() => post(comment))).toEqual(error(404, "not found"));
    }
    await remove(parent_id_code);
    expect(
      await refused(() => post({ a_id: article.id, body_markdown: "Nice", parent_id_code })),
    ).toMatchObject({ status: 422 });
  });
});

describe("PUT /api/comments/{id_code}", () => {
  test("edits one's own comment and answers with its replies, once for the same text", async () => {
    const { id_code } = await say();
    const reply = await say({ parent_id_code: id_code });
    for (const _ of [1, 2]) {
      const { status, body } = await put(id_code.toUpperCase(), { body_markdown: "Nicer" });
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ id_code, body_html: "<p>Nicer</p>\n", children: [reply] }),
      ]);
    }
    const events = await world.db.selectFrom("events").select(["type", "payload"]).execute();
    const id = Number.parseInt(id_code, 26);
    const own = events.filter(({ payload }) => (payload as { comment_id?: number }).comment_id === id);
    expect(own.map(({ type }) => type)).toEqual(["comment_created", "comment_updated"]);
  });

  test("refuses what is another's, unknown or deleted, and a text that isn't one", async () => {
    const { id_code } = await say();
    for (const [code, by] of [
      [id_code, keyOfAda],
      ["zzz", key],
      ["1-", key],
      ["nnnnn", key],
    ] as const) {
      expect(await refused(() => put(code, { body_markdown: "Mine" }, by))).toEqual(error(404, "not found"));
    }
    expect(await refused(() => put(id_code, { body_markdown: "" }))).toEqual(
      error(422, "Body markdown can't be blank"),
    );
    await remove(id_code);
    expect(await refused(() => put(id_code, { body_markdown: "Again" }))).toEqual(error(404, "not found"));
  });
});

describe("DELETE /api/comments/{id_code}", () => {
  test("deletes one's own comment, and any for moderators; the replies stay", async () => {
    const moderator = await world.key(await world.user({ role: "moderator" }));
    const [first, second] = [await say(), await say()];
    const reply = await say({ parent_id_code: first.id_code });
    expect((await remove(first.id_code)).status).toBe(204);
    expect((await remove(second.id_code, moderator)).status).toBe(204);
    const { body } = await world.get(`/api/comments?a_id=${article.id}`);
    expect(body).toMatchObject([
      { deleted: true, children: [reply] },
      { deleted: true, children: [] },
    ]);
    expect((await world.get(`/api/articles/${article.id}`)).body).toMatchObject({ comments_count: 1 });
  });

  test("refuses what is another's, unknown or deleted", async () => {
    const { id_code } = await say();
    for (const [code, by] of [
      [id_code, keyOfAda],
      ["zzz", key],
    ] as const) {
      expect(await refused(() => remove(code, by))).toEqual(error(404, "not found"));
    }
    await remove(id_code);
    expect(await refused(() => remove(id_code))).toEqual(error(404, "not found"));
  });
});

test("none of it is for those without a key that may write", async () => {
  const { id_code } = await say();
  const suspended = await world.key(await world.user({ suspended: true }));
  for (const by of ["", "ink_wrong", suspended, await world.key(bob, { readOnly: true })]) {
    for (const ask of [
      () => post({ a_id: article.id, body_markdown: "Nice" }, { key: by }),
      () => put(id_code, { body_markdown: "Nicer" }, by),
      () => remove(id_code, by),
    ]) {
      expect((await refused(ask)).status).toBe(401);
    }
  }
});
