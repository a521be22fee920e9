import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Telling, tellingIn } from "../../../test/events.ts";
import { worldForAll } from "../../../test/world.ts";
import { operator } from "../../http/actor.ts";
import * as removal from "../articles/removal.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as events from "../../platform/events/events.ts";
import { follows } from "../../../test/actors.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");
const RULES = { now: NOW, dailyLimit: undefined };

let telling: Telling;
let serial = 0;
/** Others in every test. */
let ada: { id: number; username: string };
let bob: { id: number; username: string };
const world = worldForAll({ now: NOW });
beforeAll(async () => void (telling = tellingIn(world, NOW)));
beforeEach(async () => {
  serial += 1;
  ada = await world.user({ username: `ada_${serial}`, name: "Ada" });
  bob = await world.user({ username: `bob_${serial}`, name: "Bob" });
});

/** That `user` follows a person. */
const follow = (user: { username: string }, followed: { username: string }) =>
  world.follow({ user: user.username, followed_user: followed.username });

describe("a publication", () => {
  test("notifies the followers of the author and of the organization, and the author, once", async () => {
    const [cleo, dora] = [await world.user(), await world.user()];
    const group = await world.organization({
      username: "guild",
      members: [{ username: ada.username, role: "admin" }],
    });
    await follow(bob, ada);
    for (const { username } of [ada, bob, cleo])
      await world.follow({ user: username, organization: "guild" });
    await follow(dora, bob);
    const { id, path } = await telling.publish(ada, "Looms", { organization_id: group.id });
    expect(await telling.fanOut()).toBe(1);
    const told = {
      id: expect.any(Number),
      kind: "article_published",
      created_at: "2026-03-31T12:00:00Z",
      read_at: null,
      article_id: id,
      title: "Looms",
      path,
    };
    for (const person of [ada, bob, cleo]) expect(await telling.shown(person)).toEqual([told]);
    expect(await telling.shown(dora)).toEqual([]);
    expect([await telling.left(), await telling.fanOut()]).toEqual([0, 0]);
  });

  test("notifies a mentioned follower of the mention", async () => {
    await follow(bob, ada);
    await telling.publish(ada, "Looms", { body_markdown: `Hello @${bob.username}` });
    await telling.fanOut();
    expect((await telling.shown(bob)).map(({ kind }) => kind)).toEqual(["mention"]);
  });

  test("is news once: neither an edit nor a second publication notifies, nor new followers", async () => {
    await follow(bob, ada);
    const { id } = await telling.publish(ada, "Looms");
    await telling.fanOut();
    await world.db.deleteFrom("notifications").execute();
    await telling.send(ada, "PUT", `/api/articles/${id}`, { article: { title: "Better looms" } });
    await telling.fanOut();
    await telling.send(ada, "PUT", `/api/articles/${id}`, { article: { published: false } });
    await telling.fanOut();
    await telling.send(ada, "PUT", `/api/articles/${id}`, { article: { published: true } });
    await telling.send(ada, "DELETE", `/api/articles/${id}`);
    await removal.restore(
      operator(world.db, () => NOW),
      id,
    );
    await telling.fanOut();
    expect([await telling.shown(bob), await telling.left()]).toEqual([[], 0]);
  });

  test("of a draft or a scheduled article notifies when it happens", async () => {
    await follow(bob, ada);
    const { id } = await telling.publish(ada, "Looms", { published: false });
    await telling.fanOut();
    expect(await telling.shown(bob)).toEqual([]);
    await telling.send(ada, "PUT", `/api/articles/${id}`, { article: { published: true } });
    await telling.fanOut();
    expect((await telling.shown(bob)).map(({ article_id }) => article_id)).toEqual([id]);
  });

  test("that is taken back before anybody was told waits until it is there again", async () => {
    await follow(bob, ada);
    const { id } = await telling.publish(ada, "Looms");
    await telling.send(ada, "PUT", `/api/articles/${id}`, { article: { published: false } });
    await telling.fanOut();
    expect(await telling.shown(bob)).toEqual([]);
    await telling.send(ada, "PUT", `/api/articles/${id}`, { article: { published: true } });
    await telling.fanOut();
    expect([(await telling.shown(bob)).length, await telling.left()]).toEqual([1, 0]);
  });

  test("that is taken back is withdrawn from those who were told", async () => {
    await follow(bob, ada);
    const { id } = await telling.publish(ada, "Looms");
    await telling.fanOut();
    await telling.send(ada, "PUT", `/api/articles/${id}/unpublish`);
    await telling.fanOut();
    expect(await telling.shown(bob)).toEqual([]);
  });

  test("that is imported notifies no person", async () => {
    await follow(bob, ada);
    await world.article(ada);
    await telling.fanOut();
    expect(await telling.shown(bob)).toEqual([]);
  });
});

describe("a follow", () => {
  const wish = () => ({ followerId: bob.id, target: { userId: ada.id } });

  test("notifies the followed person, until it is taken back, and once", async () => {
    await follows.follow(world.db, wish(), RULES);
    expect(await telling.fanOut()).toBe(1);
    expect(await telling.shown(ada)).toEqual([
      {
        id: expect.any(Number),
        kind: "follow",
        created_at: "2026-03-31T12:00:00Z",
        read_at: null,
        title: "Bob",
        path: `/${bob.username}`,
      },
    ]);
    expect(await telling.shown(bob)).toEqual([]);
    await follows.unfollow(world.db, wish());
    await telling.fanOut();
    expect(await telling.shown(ada)).toEqual([]);
    await follows.follow(world.db, wish(), RULES);
    await telling.fanOut();
    expect([await telling.shown(ada), await telling.left()]).toEqual([[], 0]);
  });

  test("that is taken back at once notifies no person", async () => {
    await follows.follow(world.db, wish(), RULES);
    await follows.unfollow(world.db, wish());
    expect(await telling.fanOut()).toBe(2);
    expect(await telling.shown(ada)).toEqual([]);
  });

  test("of an organization or a tag notifies no person, nor does an imported one", async () => {
    const group = await world.organization();
    await follows.follow(world.db, { followerId: bob.id, target: { organizationId: group.id } }, RULES);
    await follow(bob, ada);
    expect(await telling.fanOut()).toBe(0);
    expect(await telling.shown(ada)).toEqual([]);
  });

  test("of a person who is gone by now notifies no person", async () => {
    await follows.follow(world.db, wish(), RULES);
    await world.db.deleteFrom("users").where("id", "=", bob.id).execute();
    expect(await telling.fanOut()).toBe(1);
    expect([await telling.shown(ada), await telling.left()]).toEqual([[], 0]);
  });

  test("goes with its transaction", async () => {
    const undone = inTransaction(world.db, async (tx) => {
      await follows.follow(tx, wish(), RULES);
      await events.record(tx, "follow_created", { follower_id: bob.id, user_id: ada.id });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([await telling.fanOut(), await telling.left()]).toEqual([0, 0]);
  });
});
