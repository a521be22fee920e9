import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorld, type World } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const DAY = 86_400;

let world: World;
let article: { id: number };
beforeAll(async () => {
  world = await startWorld({ now: NOW, rateLimits: true, settings: { write_burst: "1000" } });
  article = await world.article(await world.user());
});
afterAll(() => world.stop());

async function commenter(origin: "registration" | "import", created_at = NOW) {
  const person = await world.user();
  await world.db.updateTable("users").set({ origin, created_at }).where("id", "=", person.id).execute();
  const key = await world.key(person);
  return async (seconds: number, body_markdown = "Nice") => {
    world.setNow(after(seconds));
    const body = { comment: { a_id: article.id, body_markdown } };
    return world.request({ method: "POST", url: "/api/comments", key, body });
  };
}

const times = (count: number, act: () => Promise<{ status: number }>) =>
  Array.from({ length: count }).reduce<Promise<number[]>>(
    async (done) => [...(await done), (await act()).status],
    Promise.resolve([]),
  );

const inSeconds = (seconds: number) => ({
  status: 429,
  headers: { "retry-after": String(seconds) },
  body: { error: `Rate limit reached, try again in ${seconds} seconds`, status: 429 },
});

test("a person writes ten comments in half a minute, and refused ones don't count", async () => {
  const say = await commenter("import");
  expect(await times(3, () => say(0, ""))).toEqual([422, 422, 422]);
  expect(await times(10, () => say(0))).toEqual(Array.from({ length: 10 }, () => 201));
  expect(await say(29)).toMatchObject(inSeconds(30));
  expect((await say(30)).status).toBe(201);
});

test("a person who has registered within three days writes five in five minutes", async () => {
  const say = await commenter("registration");
  expect(await times(5, () => say(0))).toEqual(Array.from({ length: 5 }, () => 201));
  expect(await say(299)).toMatchObject(inSeconds(300));
  expect((await say(300)).status).toBe(201);
});

test("a person who registered three days ago, or was imported today, writes ten", async () => {
  for (const say of [await commenter("registration", after(-3 * DAY)), await commenter("import")]) {
    expect(await times(11, () => say(0))).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
  }
});
