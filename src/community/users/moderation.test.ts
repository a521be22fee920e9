import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { worldForAll } from "../../../test/world.ts";
import { lift, suspend } from "../moderation/acts.ts";
import * as moderation from "./moderation.ts";

let ada: { id: number };
const world = worldForAll();
beforeAll(async () => void (ada = await world.user({ username: "ada", role: "admin" })));

const stored = async ({ id }: { id: number }) => {
  const row = world.db.selectFrom("users").select(["role", "suspended"]).where("id", "=", id);
  return row.executeTakeFirstOrThrow();
};
const recorded = async ({ id }: { id: number }) => {
  const events = await world.db.selectFrom("events").select(["type", "payload"]).orderBy("id").execute();
  return events.filter(({ payload }) => (payload as { user_id?: number }).user_id === id);
};

describe("a suspension", () => {
  test("refuses the person's keys at once and until it is taken back, and leaves what they wrote", async () => {
    const bob = await world.user({ username: "bob" });
    const article = await world.article(bob, { slug: "looms-1a" });
    await world.follow({ user: "bob", followed_user: "ada" });
    const [key, keyOfAda] = [await world.key(bob), await world.key(ada)];
    const write = { method: "POST", url: "/api/articles", key };
    const attempt = async () => [
      (await world.get("/api/users/me", { key })).status,
      (await world.request({ ...write, body: { article: { title: "More", body_markdown: "" } } })).status,
      ((await world.get("/api/followers/users", { key: keyOfAda })).body as unknown[]).length,
      (await world.get(`/api/articles/${article.id}`)).status,
      (await world.get(`/api/users/${bob.id}`)).status,
    ];
    expect(await attempt()).toEqual([200, 201, 1, 200, 200]);
    expect([
      await suspend(operator(world.db), { id: bob.id }),
      await suspend(operator(world.db), { id: bob.id }),
    ]).toEqual([true, false]);
    expect(await attempt()).toEqual([401, 401, 0, 200, 200]);
    expect([
      await lift(operator(world.db), { id: bob.id }),
      await lift(operator(world.db), { id: bob.id }),
    ]).toEqual([true, false]);
    expect((await attempt())[0]).toBe(200);
    const types = (await recorded(bob)).map(({ type }) => type).filter((type) => type.includes("suspended"));
    expect(types).toEqual(["user_suspended", "user_unsuspended"]);
  });

  test("and a role are of people who are there", async () => {
    for (const change of [
      () => suspend(operator(world.db), { id: 999_999 }),
      () => lift(operator(world.db), { id: 999_999 }),
      () => moderation.changeRole(operator(world.db), { id: 999_999, role: "admin" }),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

test("a role is changed once, with its event", async () => {
  const person = await world.user();
  const change = (role: "member" | "moderator") =>
    moderation.changeRole(operator(world.db), { id: person.id, role });
  expect([await change("moderator"), await change("moderator"), await change("member")]).toEqual([
    true,
    false,
    true,
  ]);
  expect(await recorded(person)).toEqual([
    { type: "user_role_changed", payload: { user_id: person.id, role: "moderator" } },
    { type: "user_role_changed", payload: { user_id: person.id, role: "member" } },
  ]);
});

describe("the last admin who isn't suspended", () => {
  const SENTENCE = "The site needs an admin who isn't suspended: make another user an admin first";
  let other: { id: number };
  beforeEach(
    async () => void (other = await world.user({ username: "other", role: "admin", suspended: true })),
  );

  test("stays that", async () => {
    await expect(suspend(operator(world.db), { id: ada.id })).rejects.toThrow(SENTENCE);
    await expect(
      moderation.changeRole(operator(world.db), { id: ada.id, role: "moderator" }),
    ).rejects.toThrow(SENTENCE);
    expect(await stored(ada)).toEqual({ role: "admin", suspended: false });
    // Others may go.
    expect(await moderation.changeRole(operator(world.db), { id: other.id, role: "member" })).toBe(true);
  });

  test("isn't the last when there is another", async () => {
    await lift(operator(world.db), { id: other.id });
    expect(await moderation.changeRole(operator(world.db), { id: ada.id, role: "member" })).toBe(true);
    expect(await moderation.changeRole(operator(world.db), { id: ada.id, role: "admin" })).toBe(true);
    expect(await suspend(operator(world.db), { id: other.id })).toBe(true);
  });

  test("is one of two who would go at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      await lift(operator(world.db), { id: other.id });
      await lift(operator(world.db), { id: ada.id });
      const outcomes = await Promise.allSettled([
        suspend(operator(world.db), { id: ada.id }),
        suspend(operator(world.db), { id: other.id }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    }
    await lift(operator(world.db), { id: ada.id });
  });
});
