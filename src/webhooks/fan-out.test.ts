import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Hooks, hooksIn } from "../../test/hooks.ts";
import { type Telling, tellingIn } from "../../test/telling.ts";
import { startWorld, type World } from "../../test/world.ts";
import * as articles from "../articles/articles.ts";
import * as removal from "../articles/removal.ts";
import { render } from "../comments/body.ts";
import * as comments from "../comments/comments.ts";
import { inTransaction } from "../db/transaction.ts";
import * as events from "../events/events.ts";
import * as follows from "../follows/follows.ts";
import * as reactions from "../reactions/reactions.ts";
import * as standing from "../users/standing.ts";
import { disable } from "./standing.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");
const RULES = { now: NOW, limit: undefined };

interface Person {
  id: number;
  username: string;
}

let world: World;
let hooks: Hooks;
let telling: Telling;
let serial = 0;
/** Others in every test; bob is a moderator. */
let ada: Person;
let bob: Person;
/** An endpoint of ada's that wants everything. */
let endpoint: { id: number };
beforeAll(async () => {
  world = await startWorld({ now: NOW });
  hooks = hooksIn(world);
  telling = tellingIn(world, NOW);
});
beforeEach(async () => {
  serial += 1;
  ada = await world.user({ username: `ada_${serial}`, name: "Ada" });
  bob = await world.user({ username: `bob_${serial}`, name: "Bob", role: "moderator" });
  endpoint = await hooks.endpoint(ada, { target_url: "https://hooks.example/a" });
});
afterAll(async () => {
  await hooks.stop();
  await world.stop();
});

interface Sent {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** What the endpoint is sent of what has happened since this was last asked. */
async function sent(to = endpoint): Promise<Sent[]> {
  await hooks.fanOut();
  const rows = await hooks.deliveries(to);
  await world.db.deleteFrom("webhook_deliveries").where("endpoint_id", "=", to.id).execute();
  return rows.map(({ payload }) => JSON.parse(payload) as Sent);
}
const types = (all: Sent[]) => all.map(({ type }) => type);

const put = (id: number, article: object) => telling.send(ada, "PUT", `/api/articles/${id}`, { article });
const read = async (path: string, person: Person) =>
  (await world.get(path, { key: await world.key(person) })).body;

async function say(who: Person, articleId: number, markdown = "Nice weave") {
  const body = await render(world.db, world.engine.renderPool, markdown);
  const wanted = { writer: who, target: { article_id: articleId }, body };
  return inTransaction(world.db, (tx) => comments.write(tx, wanted, RULES));
}

describe("of an article its author's endpoint is sent", () => {
  test("that it was created and published, when it is created published, as the author reads it", async () => {
    const { id } = await telling.publish(ada, "Looms");
    const all = await sent();
    expect(types(all)).toEqual(["article_created", "article_published"]);
    const shown = await read(`/api/articles/${id}`, ada);
    for (const one of all) {
      expect(Object.keys(one)).toEqual(["type", "timestamp", "data"]);
      expect(one.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(one.data).toEqual(shown);
    }
  });

  test("nothing while it is a draft, and never that it was created when it is published later", async () => {
    const { id } = await telling.publish(ada, "Looms", { published: false });
    await put(id, { title: "Better looms" });
    expect(await sent()).toEqual([]);
    await put(id, { published: true });
    expect(types(await sent())).toEqual(["article_updated", "article_published"]);
  });

  test("that it was updated, unpublished and published again", async () => {
    const { id } = await telling.publish(ada, "Looms");
    await sent();
    await put(id, { title: "Better looms" });
    const [updated] = await sent();
    expect(updated).toMatchObject({ type: "article_updated", data: { id, title: "Better looms" } });
    await put(id, { published: false });
    const unpublished = await sent();
    expect(types(unpublished)).toEqual(["article_updated", "article_unpublished"]);
    // To others it isn't there any more.
    expect(unpublished[1]?.data).toEqual(await read(`/api/articles/${id}`, ada));
    expect(unpublished[1]?.data).toMatchObject({ id, published_at: null });
    await put(id, { published: true });
    expect(types(await sent())).toEqual(["article_updated", "article_published"]);
  });

  test("that a moderator unpublished it", async () => {
    const { id } = await telling.publish(ada, "Looms");
    await sent();
    await telling.send(bob, "PUT", `/api/articles/${id}/unpublish`);
    expect(types(await sent())).toEqual(["article_updated", "article_unpublished"]);
  });

  test("that it was published when its time has come", async () => {
    const published_at = "2026-03-31T12:30:00Z";
    const { id } = await telling.publish(ada, "Looms", { published_at });
    expect(await sent()).toEqual([]);
    await articles.publishDue(world.db, new Date(published_at));
    const all = await sent();
    expect(types(all)).toEqual(["article_published"]);
    expect(all[0]?.data).toMatchObject({ id, published_at });
  });

  test("that it was deleted and restored, but nothing of a deleted draft", async () => {
    const { id, path } = await telling.publish(ada, "Looms");
    const draft = await telling.publish(ada, "Warps", { published: false });
    await sent();
    await telling.send(ada, "DELETE", `/api/articles/${draft.id}`);
    await telling.send(ada, "DELETE", `/api/articles/${id}`);
    expect(await sent()).toEqual([
      {
        type: "article_destroyed",
        timestamp: expect.any(String) as string,
        data: { id, title: "Looms", path },
      },
    ]);
    await removal.restore(world.db, id, NOW);
    expect(types(await sent())).toEqual(["article_published"]);
  });

  test("only what it was called, when it is deleted before anything was sent", async () => {
    const { id, path } = await telling.publish(ada, "Looms");
    await telling.send(ada, "DELETE", `/api/articles/${id}`);
    const all = await sent();
    expect(types(all)).toEqual(["article_created", "article_published", "article_destroyed"]);
    for (const { data } of all) expect(data).toEqual({ id, title: "Looms", path });
  });

  test("everything of an organization's article too, whose other members are sent nothing", async () => {
    const group = await world.organization({
      members: [ada, bob].map(({ username }) => ({ username, role: "admin" })),
    });
    const others = await hooks.endpoint(bob, { target_url: "https://hooks.example/b" });
    await telling.publish(ada, "Looms", { organization_id: group.id });
    expect([types(await sent()), await sent(others)]).toEqual([["article_created", "article_published"], []]);
  });

  test("its text only as far as it fits, which is said", async () => {
    await telling.publish(ada, "Looms", { body_markdown: "Wörter und 🧶. ".repeat(700) });
    await telling.publish(ada, "Warps", { body_markdown: "Words. ".repeat(1_200) });
    const [long, , short] = await sent();
    expect(long?.data).toMatchObject({ title: "Looms", truncated: true });
    expect(Object.keys(long?.data ?? {})).not.toContain("body_markdown");
    expect(Object.keys(long?.data ?? {})).not.toContain("body_html");
    expect(short?.data).toMatchObject({ body_html: expect.stringContaining("Words.") as string });
    expect(short?.data).not.toHaveProperty("truncated");
  });
});

describe("of comments the endpoint of the article's author is sent", () => {
  test("those of others and their own, as readers see them, and that they were deleted", async () => {
    const { id: article_id } = await telling.publish(ada, "Looms");
    await sent();
    const { id } = await say(bob, article_id);
    await say(ada, article_id, "Thanks");
    const id_code = id.toString(26);
    const all = await sent();
    expect(types(all)).toEqual(["comment_created", "comment_created"]);
    const shown = (await read(`/api/comments/${id_code}`, ada)) as object;
    expect(all[0]?.data).toEqual({ ...shown, article_id });
    expect(all[0]?.data).toMatchObject({ body_html: expect.stringContaining("Nice weave") as string });
    await inTransaction(world.db, (tx) => comments.remove(tx, { id, by: bob }));
    const [deleted] = await sent();
    expect(deleted).toMatchObject({ type: "comment_deleted", data: { id_code, article_id } });
    expect(Object.keys(deleted?.data ?? {})).toEqual(["id_code", "article_id"]);
  });

  test("nothing of what they say, when they are deleted, hidden or not public before it is sent", async () => {
    const { id: article_id } = await telling.publish(ada, "Looms");
    const [gone, hidden] = [await say(bob, article_id), await say(bob, article_id)];
    await sent();
    await events.record(world.db, "comment_created", { comment_id: gone.id, article_id });
    await events.record(world.db, "comment_created", { comment_id: hidden.id, article_id });
    await inTransaction(world.db, (tx) => comments.remove(tx, { id: gone.id, by: "operator" }));
    await inTransaction(world.db, (tx) => comments.setHidden(tx, { id: hidden.id, by: ada, hidden: true }));
    const [first, second] = await sent();
    expect(first?.data).toMatchObject({ deleted: true, article_id });
    expect(second?.data).toMatchObject({ hidden: true, article_id });
    for (const one of [first, second]) {
      expect(one?.data).not.toHaveProperty("user");
      expect(one?.data).not.toHaveProperty("body_html");
    }
    const late = await say(bob, article_id);
    await put(article_id, { published: false });
    const [third] = await sent();
    expect(third?.data).toEqual({ id_code: late.id.toString(26), article_id });
  });

  test("nothing under podcasts, whoever owns them", async () => {
    await world.podcast({ slug: "loomcast", owner: ada.username });
    const { id: episode_id } = await world.episode("loomcast");
    const body = await render(world.db, world.engine.renderPool, "Well said");
    await inTransaction(world.db, (tx) =>
      comments.write(tx, { writer: bob, target: { episode_id }, body }, RULES),
    );
    expect(await sent()).toEqual([]);
  });
});

describe("of reactions and follows the endpoint of whom they are to is sent", () => {
  const reaction = (target: reactions.Target, category = "fire" as const) => ({
    userId: bob.id,
    target,
    category,
  });
  const author = (person: Person) => ({ user_id: person.id, username: person.username });

  test("which it is, to what, and whose", async () => {
    const { id } = await telling.publish(ada, "Looms");
    const comment = await say(ada, id);
    await sent();
    await reactions.react(world.db, reaction({ articleId: id }), RULES);
    await reactions.react(world.db, reaction({ commentId: comment.id }), RULES);
    const shown = await read(`/api/articles/${(await telling.publish(bob, "Warps")).id}`, bob);
    const { user } = shown as { user: object };
    expect((await sent()).map(({ type, data }) => [type, data])).toEqual([
      ["reaction_created", { category: "fire", article_id: id, user }],
      ["reaction_created", { category: "fire", id_code: comment.id.toString(26), user }],
    ]);
    expect(user).toMatchObject(author(bob));
  });

  test("not what somebody keeps to read later, nor what was taken back at once", async () => {
    const { id } = await telling.publish(ada, "Looms");
    await sent();
    await reactions.react(world.db, reaction({ articleId: id }, "readinglist" as never), RULES);
    await reactions.react(world.db, reaction({ articleId: id }), RULES);
    await reactions.unreact(world.db, reaction({ articleId: id }), NOW);
    expect(await sent()).toEqual([]);
  });

  test("who follows them, unless that was taken back at once or the follower is suspended", async () => {
    const wish = { followerId: bob.id, target: { userId: ada.id } };
    const rules = { now: NOW, dailyLimit: undefined };
    await follows.follow(world.db, wish, rules);
    const [one] = await sent();
    expect(one).toMatchObject({ type: "follow_created", data: author(bob) });
    expect(Object.keys(one?.data ?? {})).not.toContain("email");
    await follows.unfollow(world.db, wish);
    await follows.follow(world.db, wish, rules);
    await standing.suspend(world.db, bob.id);
    expect(await sent()).toEqual([]);
    await standing.unsuspend(world.db, bob.id);
    await follows.unfollow(world.db, wish);
    await follows.follow(world.db, wish, rules);
    await follows.unfollow(world.db, wish);
    expect(await sent()).toEqual([]);
  });

  test("not that somebody follows an organization or a tag", async () => {
    const group = await world.organization({ members: [{ username: ada.username, role: "admin" }] });
    const wish = { followerId: bob.id, target: { organizationId: group.id } };
    await follows.follow(world.db, wish, { now: NOW, dailyLimit: undefined });
    expect(await sent()).toEqual([]);
  });
});

describe("an endpoint", () => {
  test("is sent only what it asks for, and only of its owner", async () => {
    const own = await hooks.endpoint(ada, {
      target_url: "https://hooks.example/few",
      events: ["article_published"],
    });
    const others = await hooks.endpoint(bob, { target_url: "https://hooks.example/b" });
    await telling.publish(ada, "Looms");
    expect([types(await sent(own)), await sent(others)]).toEqual([["article_published"], []]);
  });

  test("is sent nothing of what is imported", async () => {
    const { slug } = await world.article(ada);
    await world.comment(bob, { article: slug });
    await world.follow({ user: bob.username, followed_user: ada.username });
    await world.reaction({ user: bob.username, article: slug, category: "like" });
    expect(await sent()).toEqual([]);
  });

  test("is sent nothing while its owner is suspended", async () => {
    await standing.suspend(world.db, ada.id);
    const wish = { followerId: bob.id, target: { userId: ada.id } };
    await follows.follow(world.db, wish, { now: NOW, dailyLimit: undefined });
    await hooks.fanOut();
    expect(await hooks.deliveries(endpoint)).toEqual([]);
  });

  test("that is disabled has what happened kept for it", async () => {
    await inTransaction(world.db, (tx) => disable(tx, endpoint.id, "Because.", NOW));
    await telling.publish(ada, "Looms");
    await hooks.fanOut();
    const states = (await hooks.deliveries(endpoint)).map(({ event, state }) => [event, state]);
    expect(states).toEqual([
      ["article_created", "failed"],
      ["article_published", "failed"],
    ]);
  });
});

describe("the fan-out", () => {
  test("tells everything once, also when several processes do it at once, and in its order", async () => {
    for (const title of ["One", "Two", "Three", "Four"]) await telling.publish(ada, title);
    const counts = await Promise.all([hooks.fanOut(), hooks.fanOut(), hooks.fanOut()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(8);
    expect(await sent()).toHaveLength(8);
    expect(await hooks.fanOut()).toBe(0);
    for (const title of ["Five", "Six"]) await telling.publish(ada, title);
    expect((await sent()).map(({ data }) => data["title"])).toEqual(["Five", "Five", "Six", "Six"]);
  });

  test("tells nothing of what was undone", async () => {
    const undone = inTransaction(world.db, async (tx) => {
      await events.record(tx, "follow_created", { follower_id: bob.id, user_id: ada.id });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([await hooks.fanOut(), await sent()]).toEqual([0, []]);
  });

  test("goes on behind what it can't tell, which waits", async () => {
    const { id } = await telling.publish(ada, "Looms");
    await sent();
    const payload = { reaction_id: "no number", user_id: bob.id, category: "fire", article_id: id };
    await events.record(world.db, "reaction_created", payload as never);
    await put(id, { title: "Better looms" });
    await expect(hooks.fanOut()).rejects.toThrow("invalid input syntax");
    expect(types(await sent())).toEqual(["article_updated"]);
    const waiting = await world.db.selectFrom("webhook_tasks").select("due_at").execute();
    expect(waiting.map(({ due_at }) => due_at > new Date())).toEqual([true]);
    await world.db.deleteFrom("webhook_tasks").execute();
  });
});
