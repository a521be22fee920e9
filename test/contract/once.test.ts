import { describe, expect, test } from "vitest";
import { worldForAll } from "../own-database.ts";
import type { Reply } from "../world.ts";

const world = worldForAll({ rateLimits: true, settings: { write_burst: "1000" } });

const statuses = (replies: Reply[]) =>
  [...new Set(replies.map(({ status }) => status))].toSorted((one, other) => one - other);

function write(key: string, idempotencyKey: string, title: string): Promise<Reply> {
  const headers = { "idempotency-key": idempotencyKey };
  const body = { article: { title, body_markdown: "Some words.", published: true } };
  return world.request({ method: "POST", url: "/api/articles", key, headers, body });
}

describe("an article that is written with an Idempotency-Key", () => {
  test("is written once, also when its answer got lost, and costs its author one of the ten", async () => {
    const key = await world.key(await world.user());
    for (let number = 0; number < 10; number++) {
      const [first, second] = [
        await write(key, `n ${number}`, `Title ${number}`),
        await write(key, `n ${number}`, `Title ${number}`),
      ];
      expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
      expect(second.headers).toMatchObject({
        location: first.headers["location"],
        etag: first.headers["etag"],
      });
    }
    expect((await write(key, "n 10", "Title 10")).status).toBe(429);
    expect((await write(key, "n 9", "Title 9")).headers).toHaveProperty("idempotent-replayed", "true");
  });

  test("32 times at once is one article", async () => {
    const author = await world.user();
    const key = await world.key(author);
    const replies = await Promise.all(Array.from({ length: 32 }, () => write(key, "at once", "At once")));
    expect([201, 409]).toEqual(expect.arrayContaining(statuses(replies)));
    const { body } = await world.get("/api/articles/me/all", { key });
    expect(body).toHaveLength(1);
    expect((await write(key, "at once", "At once")).status).toBe(201);
  });
});

test("of 16 who change an article of one version, one does", async () => {
  const author = await world.user();
  const [key, { id }] = [await world.key(author), await world.article(author)];
  const { headers } = await world.get(`/api/articles/${id}`, { key });
  const change = (number: number) =>
    world.request({
      method: "PUT",
      url: `/api/articles/${id}`,
      key,
      headers: { "if-match": String(headers["etag"]) },
      body: { article: { title: `Change ${number}` } },
    });
  const replies = await Promise.all(Array.from({ length: 16 }, (_, number) => change(number)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(statuses(replies)).toEqual([200, 412]);
  const winner = replies.find(({ status }) => status === 200);
  const after = await world.get(`/api/articles/${id}`, { key });
  expect([after.text, after.headers["etag"]]).toEqual([winner?.text, winner?.headers["etag"]]);
  expect(world.bugs).toEqual([]);
});
