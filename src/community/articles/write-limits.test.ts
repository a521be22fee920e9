import { beforeEach, describe, expect, test } from "vitest";
import { form, pngOf, uploading } from "../../../test/pictures.ts";
import { worldForAll } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const seconds = (count: number) => new Date(NOW.getTime() + count * 1_000);

describe("how often a person may write", () => {
  let serial = 0;
  const world = worldForAll({ rateLimits: true, settings: { write_burst: "1000", write_rate: "1000" } });
  beforeEach(() => world.setNow(NOW));

  const create = (key: string, fields: object = {}) =>
    world.request({
      method: "POST",
      url: "/api/articles",
      key,
      body: { article: { title: `Article ${++serial}`, body_markdown: "a", published: true, ...fields } },
    });
  async function times(count: number, write: () => Promise<{ status: number }>): Promise<number[]> {
    const statuses: number[] = [];
    for (let index = 0; index < count; index++) statuses.push((await write()).status);
    return statuses;
  }
  const refusal = (wait: number) => ({
    status: 429,
    headers: { "retry-after": String(wait) },
    body: { error: `Rate limit reached, try again in ${wait} seconds`, status: 429 },
  });

  test("ten published articles in 30 seconds, and then not even a draft or a broken request is looked at", async () => {
    const key = await world.key(await world.user());
    expect(await times(10, () => create(key))).toEqual(Array(10).fill(201));
    const refused = await create(key);
    expect(refused).toMatchObject(refusal(30));
    expect(refused.headers).toMatchObject({
      ratelimit: '"article_create";r=0;t=30',
      "ratelimit-policy": '"article_create";q=10;w=30',
      "x-ratelimit-remaining": "0",
    });
    expect(await create(key, { published: false })).toMatchObject(refusal(30));
    expect(await create(key, { title: null })).toMatchObject(refusal(30));
    world.setNow(seconds(30));
    expect(await create(key)).toMatchObject({ status: 201 });
  });

  test("drafts and refused requests count for nothing", async () => {
    const key = await world.key(await world.user());
    expect(await times(15, () => create(key, { published: false }))).toEqual(Array(15).fill(201));
    expect(await times(15, () => create(key, { tags: ["-"] }))).toEqual(Array(15).fill(422));
    expect(await create(key)).toMatchObject({ status: 201 });
  });

  test("deleting what was published makes no room", async () => {
    const key = await world.key(await world.user());
    for (let index = 0; index < 10; index++) {
      const { body } = await create(key);
      await world.request({ method: "DELETE", url: `/api/articles/${(body as { id: number }).id}`, key });
    }
    expect(await create(key)).toMatchObject(refusal(30));
  });

  test("two in five minutes with an account that was registered less than three days ago", async () => {
    const fresh = await world.user();
    const key = await world.key(fresh);
    const register = (created_at: Date) =>
      world.db
        .updateTable("users")
        .set({ origin: "registration", created_at })
        .where("id", "=", fresh.id)
        .execute();
    await register(seconds(-3 * 86_400 + 400));
    expect(await times(2, () => create(key))).toEqual([201, 201]);
    expect(await create(key)).toMatchObject(refusal(300));
    world.setNow(seconds(300));
    expect(await create(key)).toMatchObject({ status: 201 });
    await register(seconds(-3 * 86_400 - 400));
    expect(await times(4, () => create(key))).toEqual([201, 201, 201, 201]);
  });

  test("31 updates in 30 seconds, of which those that were refused don't count", async () => {
    const key = await world.key(await world.user());
    const { body } = await create(key);
    const url = `/api/articles/${(body as { id: number }).id}`;
    const update = (article: object) => world.request({ method: "PUT", url, key, body: { article } });
    expect(await times(5, () => update({ title: "" }))).toEqual(Array(5).fill(422));
    expect(await times(31, () => update({ title: `Title ${++serial}` }))).toEqual(Array(31).fill(200));
    expect(await update({ title: "" })).toMatchObject(refusal(30));
    const stranger = await world.key(await world.user());
    const other = { method: "PUT", url, key: stranger, body: { article: { title: "x" } } };
    expect(await world.request(other)).toMatchObject({ status: 404 });
    expect(await world.request({ ...other, key, headers: { "if-match": '"old"' } })).toMatchObject({
      status: 412,
    });
    world.setNow(seconds(31));
    expect(await update({ title: "Free again" })).toMatchObject({ status: 200 });
  });

  test("every limit is a setting, and a new number counts at once", async () => {
    const author = await world.user();
    const key = await world.key(author);
    const set = (name: string, value: number) => settings.set(world.db, name, String(value));
    await set("article_create_limit", 2);
    expect(await times(3, () => create(key))).toEqual([201, 201, 429]);
    await set("article_create_limit", 3);
    expect(await times(2, () => create(key))).toEqual([201, 429]);
    await set("article_create_limit", 10);
    const { body } = await create(key);
    const url = `/api/articles/${(body as { id: number }).id}`;
    const update = () =>
      world.request({ method: "PUT", url, key, body: { article: { title: `Title ${++serial}` } } });
    await set("article_update_limit", 2);
    expect(await times(3, update)).toEqual([200, 200, 429]);
    await set("article_update_limit", 31);
    expect(await times(1, update)).toEqual([200]);
    const registered = { origin: "registration", created_at: seconds(-60) };
    await world.db.updateTable("users").set(registered).where("id", "=", author.id).execute();
    await set("article_create_new_account_limit", 6);
    expect(await times(3, () => create(key))).toEqual([201, 201, 429]);
    const { upload } = uploading(world, key);
    await set("image_upload_limit", 1);
    expect(await times(2, () => upload(form(pngOf(2, 2))))).toEqual([201, 429]);
    await set("image_upload_limit", 2);
    expect(await times(2, () => upload(form(pngOf(2, 2))))).toEqual([201, 429]);
    for (const [name, value] of Object.entries(settings.defaults())) {
      if (name.endsWith("_limit")) await set(name, Number(value));
    }
  });

  test("a refusal says in whole seconds when to come back, and an answer what is left of all requests together", async () => {
    const key = await world.key(await world.user());
    const { headers } = await create(key);
    await times(9, () => create(key));
    const refused = await create(key);
    expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    expect(refused.headers["cache-control"]).toBe("no-store");
    expect(headers["ratelimit"]).toMatch(/^"writes";r=\d+;t=\d+$/);
    expect(headers["ratelimit-policy"]).toMatch(/^"writes";q=1000;w=\d+$/);
  });

  test("pictures that are refused count for nothing", async () => {
    const key = await world.key(await world.user());
    const { upload } = uploading(world, key);
    expect(await times(12, () => upload(form(Buffer.from("no picture"))))).toEqual(Array(12).fill(422));
    expect(await times(11, () => upload(form(pngOf(2, 2))))).toEqual([...Array(10).fill(201), 429]);
  });

  test("an answer that is repeated by its Idempotency-Key costs nothing, and writes nothing", async () => {
    const author = await world.user();
    const key = await world.key(author);
    const headers = { "idempotency-key": "push-1" };
    const article = { title: "Once", body_markdown: "a", published: true };
    const post = () =>
      world.request({ method: "POST", url: "/api/articles", key, headers, body: { article } });
    const first = await post();
    expect(first.status).toBe(201);
    expect(await times(9, () => create(key))).toEqual(Array(9).fill(201));
    const again = await post();
    expect(again).toMatchObject({
      status: 201,
      text: first.text,
      headers: { "idempotent-replayed": "true" },
    });
    expect(again.headers["location"]).toBe(first.headers["location"]);
    const { count } = await world.db
      .selectFrom("articles")
      .select((eb) => eb.fn.countAll<string>().as("count"))
      .where("author_id", "=", author.id)
      .executeTakeFirstOrThrow();
    expect(count).toBe("10");
  });
});
