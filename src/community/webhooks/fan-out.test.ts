import { describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { hearingForEach, NOW, RULES, types } from "../../../test/events.ts";
import * as events from "../../platform/events/events.ts";
import { follows } from "../../../test/actors.ts";
import { suspend } from "../moderation/acts.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { disable } from "./endpoint-state.ts";

const site = hearingForEach();

const ROUNDS = 25;

describe("an endpoint", () => {
  test("is sent only what it asks for, and only of its owner", async () => {
    const own = await site.hooks.endpoint(site.ada, {
      target_url: "https://hooks.example/few",
      events: ["article_published"],
    });
    const others = await site.hooks.endpoint(site.bob, { target_url: "https://hooks.example/b" });
    await site.telling.publish(site.ada, "Looms");
    expect([types(await site.sent(own)), await site.sent(others)]).toEqual([["article_published"], []]);
  });

  test("is sent what is written after it was made and nothing from before, however close they are", async () => {
    const key = await site.world.key(site.ada);
    const send = async (method: string, url: string, body?: object) => {
      const reply = await site.world.request({ method, url, key, body });
      expect([url, reply.status < 300]).toEqual([url, true]);
      return reply.body as { id: number };
    };
    const publish = (title: string) =>
      send("POST", "/api/articles", { article: { title, body_markdown: "Words.", published: true } });
    for (let round = 0; round < ROUNDS; round += 1) {
      await publish(`Before ${round}`);
      const target_url = `https://hooks.example/rounds/${round}`;
      const endpoint = await send("POST", "/api/webhooks", {
        webhook_endpoint: { source: "Test", target_url, events: ["article_published"] },
      });
      // In every other round the events from before are fanned out while the next one is written.
      await Promise.all([publish(`After ${round}`), ...(round % 2 === 0 ? [site.hooks.fanOut()] : [])]);
      expect((await site.sent(endpoint)).map(({ data }) => data["title"])).toEqual([`After ${round}`]);
      await send("DELETE", `/api/webhooks/${endpoint.id}`);
    }
  });

  test("that an import brings is sent nothing from before either", async () => {
    await site.telling.publish(site.ada, "Before");
    const endpoint = await site.world.webhook(site.ada, { target_url: "https://hooks.example/imported" });
    await site.telling.publish(site.ada, "After");
    const titles = (await site.sent(endpoint)).map(({ data }) => data["title"]);
    expect([...new Set(titles)]).toEqual(["After"]);
  });

  test("is sent nothing of what is imported", async () => {
    const { slug } = await site.world.article(site.ada);
    await site.world.comment(site.bob, { article: slug });
    await site.world.follow({ user: site.bob.username, followed_user: site.ada.username });
    await site.world.reaction({ user: site.bob.username, article: slug, category: "like" });
    expect(await site.sent()).toEqual([]);
  });

  test("is sent nothing while its owner is suspended", async () => {
    await suspend(operator(site.world.db), { id: site.ada.id });
    const wish = { followerId: site.bob.id, target: { userId: site.ada.id } };
    await follows.follow(site.world.db, wish, RULES);
    await site.hooks.fanOut();
    expect(await site.hooks.deliveries(site.endpoint)).toEqual([]);
  });

  test("that is disabled has what happened kept for it", async () => {
    await inTransaction(site.world.db, (tx) => disable(tx, site.endpoint.id, "Because.", NOW));
    await site.telling.publish(site.ada, "Looms");
    await site.hooks.fanOut();
    const states = (await site.hooks.shown(site.endpoint)).map(({ event, state }) => [event, state]);
    expect(states).toEqual([
      ["article_created", "failed"],
      ["article_published", "failed"],
    ]);
  });
});

describe("the fan-out", () => {
  test("tells everything once, also when several processes do it at once, and in its order", async () => {
    for (const title of ["One", "Two", "Three", "Four"]) await site.telling.publish(site.ada, title);
    const counts = await Promise.all([site.hooks.fanOut(), site.hooks.fanOut(), site.hooks.fanOut()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(8);
    expect(await site.sent()).toHaveLength(8);
    expect(await site.hooks.fanOut()).toBe(0);
    for (const title of ["Five", "Six"]) await site.telling.publish(site.ada, title);
    expect((await site.sent()).map(({ data }) => data["title"])).toEqual(["Five", "Five", "Six", "Six"]);
  });

  test("tells many events of several owners in their order, each at every endpoint that asks for it", async () => {
    const own = await site.hooks.endpoint(site.ada, { target_url: "https://hooks.example/own" });
    const few = await site.hooks.endpoint(site.ada, {
      target_url: "https://hooks.example/few",
      events: ["article_published", "follow_created"],
    });
    const others = await site.hooks.endpoint(site.bob, { target_url: "https://hooks.example/b" });
    const { id } = await site.telling.publish(site.ada, "One");
    await follows.follow(site.world.db, { followerId: site.bob.id, target: { userId: site.ada.id } }, RULES);
    await site.telling.publish(site.bob, "Two");
    await site.put(id, { title: "Three" });
    expect(await site.hooks.fanOut()).toBe(6);
    const all = ["article_created", "article_published", "follow_created", "article_updated"];
    expect(types(await site.sent(own))).toEqual(all);
    expect(types(await site.sent(site.endpoint))).toEqual(all);
    expect(types(await site.sent(few))).toEqual(["article_published", "follow_created"]);
    expect(types(await site.sent(others))).toEqual(["article_created", "article_published"]);
  });

  test("tells nothing of what was undone", async () => {
    const undone = inTransaction(site.world.db, async (tx) => {
      await events.record(tx, "follow_created", { follower_id: site.bob.id, user_id: site.ada.id });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([await site.hooks.fanOut(), await site.sent()]).toEqual([0, []]);
  });

  test("goes on behind what it can't tell, which waits", async () => {
    const { id } = await site.telling.publish(site.ada, "Looms");
    await site.sent();
    const payload = { reaction_id: "no number", user_id: site.bob.id, category: "fire", article_id: id };
    await events.record(site.world.db, "reaction_created", payload as never);
    await site.put(id, { title: "Better looms" });
    await expect(site.hooks.fanOut()).rejects.toThrow("invalid input syntax");
    expect(types(await site.sent())).toEqual(["article_updated"]);
    const waiting = await site.world.db
      .selectFrom("outbox")
      .select("due_at")
      .where("consumer", "=", "webhooks")
      .execute();
    expect(waiting.map(({ due_at }) => due_at > new Date())).toEqual([true]);
    await site.world.db.deleteFrom("outbox").execute();
  });
});
