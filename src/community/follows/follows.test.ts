import { describe, expect, test } from "vitest";
import { settledAtOnce } from "../../../test/waiting.ts";
import { worldForAll } from "../../../test/world.ts";
import { countRows } from "../../platform/db/values.ts";
import * as users from "../users/users.ts";
import { type FollowRules, follows } from "../../../test/actors.ts";
import type { Target } from "./follows.ts";

const NOW = new Date("2026-03-02T09:15:00Z");
const RULES: FollowRules = { now: NOW, dailyLimit: undefined };

let serial = 0;
const world = worldForAll();

const person = () => world.user({ username: `person_${++serial}` });
const tagId = async (name: string) =>
  (await world.db.selectFrom("tags").select("id").where("name", "=", name).executeTakeFirstOrThrow()).id;
const ofFollower = (id: number) =>
  world.db
    .selectFrom("follows")
    .select(["followed_user_id", "organization_id", "tag_id", "points", "created_at"])
    .where("follower_id", "=", id)
    .orderBy("id")
    .execute();
const countOf = (id: number) => countRows(world.db.selectFrom("follows").where("followed_user_id", "=", id));
const recorded = async (id: number) => {
  const events = await world.db.selectFrom("events").select(["type", "payload"]).orderBy("id").execute();
  return events.filter(({ payload }) => (payload as { follower_id?: number }).follower_id === id);
};

describe("following", () => {
  test("people, organizations and tags, each once, is written down with its events", async () => {
    const [lena, noor] = [await person(), await person()];
    const group = await world.organization();
    await world.tag({ name: "wool" });
    const wool = await tagId("wool");
    const targets = [{ userId: noor.id }, { organizationId: group.id }, { tagId: wool }];
    for (const isNew of [true, false]) {
      for (const target of targets) {
        expect(await follows.follow(world.db, { followerId: lena.id, target }, RULES)).toBe(isNew);
      }
    }
    const row = { followed_user_id: null, organization_id: null, tag_id: null, points: 1, created_at: NOW };
    expect(await ofFollower(lena.id)).toEqual([
      { ...row, followed_user_id: noor.id },
      { ...row, organization_id: group.id },
      { ...row, tag_id: wool },
    ]);
    expect(await countOf(noor.id)).toBe(1);
    for (const isThere of [true, false]) {
      for (const target of targets) {
        expect(await follows.unfollow(world.db, { followerId: lena.id, target })).toBe(isThere);
      }
    }
    expect(await ofFollower(lena.id)).toEqual([]);
    expect(await countOf(noor.id)).toBe(0);
    const named = [{ user_id: noor.id }, { organization_id: group.id }, { tag_id: wool }];
    expect(await recorded(lena.id)).toEqual(
      ["follow_created", "follow_destroyed"].flatMap((type) =>
        named.map((target) => ({ type, payload: { follower_id: lena.id, ...target } })),
      ),
    );
  });

  test("another name of a tag is following the tag", async () => {
    const lena = await person();
    await world.tag({ name: "javascript" });
    await world.tag({ name: "js", alias_for: "javascript" });
    const [js, javascript] = [await tagId("js"), await tagId("javascript")];
    const wish = (id: number) => ({ followerId: lena.id, target: { tagId: id } });
    expect(await follows.follow(world.db, wish(js), RULES)).toBe(true);
    expect(await follows.follow(world.db, wish(javascript), RULES)).toBe(false);
    expect(await ofFollower(lena.id)).toMatchObject([{ tag_id: javascript }]);
    expect(await follows.unfollow(world.db, wish(js))).toBe(true);
  });

  test("a tag that becomes another name is following the other one, once, by the greater weight", async () => {
    const [one, both] = [await person(), await person()];
    for (const name of ["yarn", "thread"]) await world.tag({ name });
    await world.follow({ user: one.username, tag: "thread", points: 3 });
    await world.follow({ user: both.username, tag: "thread", points: 5 });
    await world.follow({ user: both.username, tag: "yarn", points: 2 });
    await world.tag({ name: "thread", alias_for: "yarn" });
    const yarn = await tagId("yarn");
    expect(await ofFollower(one.id)).toMatchObject([{ tag_id: yarn, points: 3 }]);
    expect(await ofFollower(both.id)).toMatchObject([{ tag_id: yarn, points: 5 }]);
  });

  test.each<[string, (ids: { self: number }) => Target, string]>([
    ["oneself", ({ self }) => ({ userId: self }), "You can't follow yourself"],
    ["nobody", () => ({ userId: 999_999 }), "not found"],
    ["no organization", () => ({ organizationId: 999_999 }), "not found"],
    ["no tag", () => ({ tagId: 999_999 }), "not found"],
  ])("%s is refused and changes nothing", async (_, targetOf, sentence) => {
    const { id } = await person();
    const wish = { followerId: id, target: targetOf({ self: id }) };
    await expect(follows.follow(world.db, wish, RULES)).rejects.toThrow(sentence);
    expect([await ofFollower(id), await recorded(id)]).toEqual([[], []]);
  });

  test("is nothing for those who are suspended or gone, and neither is taking it back", async () => {
    const [followed, suspended] = [await person(), await world.user({ suspended: true })];
    await world.follow({ user: suspended.username, followed_user: followed.username });
    const target = { userId: followed.id };
    for (const followerId of [suspended.id, 999_999]) {
      const wish = { followerId, target };
      await expect(follows.follow(world.db, wish, RULES)).rejects.toMatchObject({ code: "unauthorized" });
      await expect(follows.unfollow(world.db, wish)).rejects.toMatchObject({ code: "unauthorized" });
    }
    expect(await countOf(followed.id)).toBe(1);
  });

  test("a limited number a day, and a refused one isn't done", async () => {
    const lena = await person();
    const people = [await person(), await person(), await person()];
    const wish = (index: number) => ({
      followerId: lena.id,
      target: { userId: people[index]?.id as number },
    });
    const at = (hour: number) => ({ now: new Date(Date.UTC(2026, 2, 2, hour)), dailyLimit: 2 });
    expect(await follows.follow(world.db, wish(0), at(0))).toBe(true);
    expect(await follows.follow(world.db, wish(1), at(1))).toBe(true);
    await expect(follows.follow(world.db, wish(2), at(2))).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 86_400,
    });
    // What one follows already costs nothing.
    expect(await follows.follow(world.db, wish(0), at(2))).toBe(false);
    expect([await countOf(people[2]?.id as number), (await recorded(lena.id)).length]).toEqual([0, 2]);
    expect(await follows.follow(world.db, wish(2), at(25))).toBe(true);
  });
});

describe("at the same moment", () => {
  const FIFTY = Array.from({ length: 50 });

  test("one who follows fifty times follows once", async () => {
    const [lena, noor] = [await person(), await person()];
    const wish = { followerId: lena.id, target: { userId: noor.id } };
    const made = await Promise.all(FIFTY.map(() => follows.follow(world.db, wish, RULES)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect([(await ofFollower(lena.id)).length, await countOf(noor.id)]).toEqual([1, 1]);
    expect(await recorded(lena.id)).toHaveLength(1);
    const ended = await Promise.all(FIFTY.map(() => follows.unfollow(world.db, wish)));
    expect([ended.filter(Boolean).length, await countOf(noor.id)]).toEqual([1, 0]);
  });

  test("fifty who follow one are fifty", async () => {
    const noor = await person();
    const people: { id: number }[] = [];
    for (const _ of FIFTY) people.push(await person());
    const target = { userId: noor.id };
    await Promise.all(people.map(({ id }) => follows.follow(world.db, { followerId: id, target }, RULES)));
    expect(await countOf(noor.id)).toBe(50);
    const some = people.slice(0, 20);
    await Promise.all(some.map(({ id }) => follows.unfollow(world.db, { followerId: id, target })));
    expect(await countOf(noor.id)).toBe(30);
  });

  test("everybody follows everybody without anybody waiting for good", async () => {
    const people: { id: number }[] = [];
    for (let n = 0; n < 8; n += 1) people.push(await person());
    const pairs = people.flatMap(({ id: followerId }) =>
      people.filter(({ id }) => id !== followerId).map(({ id }) => ({ followerId, target: { userId: id } })),
    );
    const rules = { now: NOW, dailyLimit: 500 };
    await Promise.all(pairs.map((wish) => follows.follow(world.db, wish, rules)));
    for (const { id } of people) expect(await countOf(id)).toBe(7);
  });

  test("one who follows fifty people does so as often as the daily limit has it, exactly", async () => {
    const lena = await person();
    const people: { id: number }[] = [];
    for (const _ of FIFTY) people.push(await person());
    const rules = { now: NOW, dailyLimit: 5 };
    const outcomes = await settledAtOnce(
      people.map(({ id }) => () => {
        return follows.follow(world.db, { followerId: lena.id, target: { userId: id } }, rules);
      }),
    );
    const refusals = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
    expect(refusals).toHaveLength(45);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: "rate_limited" });
    const made = await ofFollower(lena.id);
    const counted = [];
    for (const { id } of people) if ((await countOf(id)) > 0) counted.push([id, await countOf(id)]);
    expect(counted.map(([id]) => id)).toEqual(
      made.map((one) => one.followed_user_id).toSorted((one, two) => Number(one) - Number(two)),
    );
    expect([made.length, counted.every(([, number]) => number === 1)]).toEqual([5, true]);
    expect(await recorded(lena.id)).toHaveLength(5);
  });
});

test("a removed person follows and is followed no more", async () => {
  const [lena, noor, gone] = [await person(), await person(), await person()];
  await world.follow({ user: gone.username, followed_user: lena.username });
  await world.follow({ user: noor.username, followed_user: lena.username });
  await world.follow({ user: noor.username, followed_user: gone.username });
  await world.db.transaction().execute((tx) => users.removeAll(tx, [gone.id]));
  expect([await countOf(lena.id), await countOf(gone.id)]).toEqual([1, 0]);
  expect(await ofFollower(noor.id)).toMatchObject([{ followed_user_id: lena.id }]);
});
