import { describe, expect, test } from "vitest";
import { type Reply, worldForAll } from "../world.ts";

const world = worldForAll({ rateLimits: true, settings: { write_burst: "1000" } });

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
});
