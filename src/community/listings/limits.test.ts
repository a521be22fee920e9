import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00.500Z");
const GOOD = { title: "Loom conference", body_markdown: "Come _weave_", category: "cfp" };

describe("where limits are on", () => {
  const limited = worldForAll({ now: NOW, rateLimits: true, settings: { write_burst: "1000" } });
  beforeAll(() => limited.user({ username: "ada" }));

  test("the third in a minute is refused, before it is looked at, and refused ones don't count", async () => {
    const mine = await limited.key({ id: 1 });
    const post = (listing: object) =>
      limited.request({ method: "POST", url: "/api/listings", key: mine, body: { listing } });
    expect((await post({ ...GOOD, title: "" })).status).toBe(422);
    expect((await post(GOOD)).status).toBe(201);
    expect((await post({ ...GOOD, category: "x" })).status).toBe(422);
    expect((await post(GOOD)).status).toBe(201);
    const third = await post({ title: "" });
    expect(third).toMatchObject({
      status: 429,
      headers: { "retry-after": "60" },
      body: { error: "Rate limit reached, try again in 60 seconds", status: 429 },
    });
    limited.setNow(new Date(NOW.getTime() + 60_000));
    expect((await post(GOOD)).status).toBe(201);
  });

  const listingsOf = async ({ id }: { id: number }) =>
    (await limited.db.selectFrom("listings").select("id").where("author_id", "=", id).execute()).length;

  test("two of fifty requests at once make one", async () => {
    const owner = await limited.user();
    const mine = await limited.key(owner);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        limited.request({ method: "POST", url: "/api/listings", key: mine, body: { listing: GOOD } }),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(2);
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    expect(await listingsOf(owner)).toBe(2);
    expect(limited.bugs).toEqual([]);
  });
});
