import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Telling, tellingIn } from "../../../test/events.ts";
import { startWorld, type World } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

let world: World;
let telling: Telling;
let ada: Awaited<ReturnType<World["user"]>>;
let bob: Awaited<ReturnType<World["user"]>>;
let key: string;
beforeAll(async () => {
  world = await startWorld({ now: NOW });
  telling = tellingIn(world, NOW);
  ada = await world.user({ username: "ada" });
  bob = await world.user({ username: "bob", name: "Bob" });
  key = await world.key(ada, { readOnly: true });
});
afterAll(() => world.stop());

const get = (query = "", by: string | undefined = key) =>
  world.get(`/api/notifications?${query}`, { key: by });
const kinds = async (query: string) =>
  ((await get(query)).body as { kind: string }[]).map(({ kind }) => kind);

describe("GET /api/notifications", () => {
  test("is empty for a person to whom nothing has happened", async () => {
    expect(await get()).toMatchObject({
      status: 200,
      body: [],
      headers: { "cache-control": "private, no-store" },
    });
  });

  test("lists the caller's own, newest first, in pages, and marks none as read", async () => {
    const article = await world.article(ada, { title: "Looms", slug: "looms-1a" });
    await telling.send(bob, "PUT", "/api/follows/users/ada");
    await telling.fanOut();
    const comment = { a_id: article.id, body_markdown: "Nice" };
    const { id_code } = (await telling.send(bob, "POST", "/api/comments", { comment })) as unknown as {
      id_code: string;
    };
    await telling.fanOut();
    const common = { id: expect.any(Number), created_at: "2026-03-31T12:00:00Z", read_at: null };
    for (const _ of [1, 2]) {
      expect((await get()).body).toEqual([
        {
          ...common,
          kind: "comment",
          article_id: article.id,
          id_code,
          title: "Looms",
          path: "/ada/looms-1a",
        },
        { ...common, kind: "follow", title: "Bob", path: "/bob" },
      ]);
    }
    expect((await get("", await world.key(bob))).body).toEqual([]);
    expect([await kinds("per_page=1"), await kinds("per_page=1&page=2")]).toEqual([["comment"], ["follow"]]);
    expect(await kinds("page=2")).toEqual([]);
    expect((await get("per_page=1")).headers["link"]).toContain('rel="next"');
  });

  test("leaves out read ones on request", async () => {
    await world.db.updateTable("notifications").set({ read_at: NOW }).where("kind", "=", "follow").execute();
    expect(await kinds("unread=true")).toEqual(["comment"]);
    expect(await kinds("unread=false")).toEqual(["comment", "follow"]);
    expect((await get()).body).toMatchObject([{ read_at: null }, { read_at: "2026-03-31T12:00:00Z" }]);
  });

  test.each(["per_page=101", "page=0", "unread=1"])("refuses %s", async (query) => {
    const { status, body } = await get(query);
    const name = String(query.split("=")[0]);
    expect([status, (body as { error: string }).error.startsWith(`${name} must be `)]).toEqual([422, true]);
  });

  test("needs a key whose owner isn't suspended", async () => {
    for (const by of ["", "ink_wrong", await world.key(await world.user({ suspended: true }))]) {
      expect((await get("", by)).status).toBe(401);
    }
  });
});
