import { describe, expect, test } from "vitest";
import { operator } from "../../http/actor.ts";
import { hearingForEach, NOW, RULES, types } from "../../../test/events.ts";
import { render } from "../comments/body.ts";
import * as events from "../../platform/events/events.ts";
import { follows, type Reaction, reactions, comments } from "../../../test/actors.ts";
import { lift, suspend } from "../moderation/acts.ts";
import { inTransaction } from "../../platform/db/transaction.ts";

const site = hearingForEach();

describe("of comments the endpoint of the article's author is sent", () => {
  test("those of others and their own, as readers see them, and that they were deleted", async () => {
    const { id: article_id } = await site.telling.publish(site.ada, "Looms");
    await site.sent();
    const { id } = await site.say(site.bob, article_id);
    await site.say(site.ada, article_id, "Thanks");
    const id_code = id.toString(26);
    const all = await site.sent();
    expect(types(all)).toEqual(["comment_created", "comment_created"]);
    const shown = (await site.read(`/api/comments/${id_code}`, site.ada)) as object;
    expect(all[0]?.data).toEqual({ ...shown, article_id });
    expect(all[0]?.data).toMatchObject({ body_html: expect.stringContaining("Nice weave") as string });
    await inTransaction(site.world.db, (tx) => comments.remove(tx, { id, by: site.bob }));
    const [deleted] = await site.sent();
    expect(deleted).toMatchObject({ type: "comment_deleted", data: { id_code, article_id } });
    expect(Object.keys(deleted?.data ?? {})).toEqual(["id_code", "article_id"]);
  });

  test("nothing of what they say, when they are deleted, hidden or not public before it is sent", async () => {
    const { id: article_id } = await site.telling.publish(site.ada, "Looms");
    const [gone, hidden] = [await site.say(site.bob, article_id), await site.say(site.bob, article_id)];
    await site.sent();
    await events.record(site.world.db, "comment_created", { comment_id: gone.id, article_id });
    await events.record(site.world.db, "comment_created", { comment_id: hidden.id, article_id });
    await inTransaction(site.world.db, (tx) => comments.remove(tx, { id: gone.id, by: "operator" }));
    await inTransaction(site.world.db, (tx) =>
      comments.setHidden(tx, { id: hidden.id, by: site.ada, hidden: true }),
    );
    const [first, second] = await site.sent();
    expect(first?.data).toMatchObject({ deleted: true, article_id });
    expect(second?.data).toMatchObject({ hidden: true, article_id });
    for (const one of [first, second]) {
      expect(one?.data).not.toHaveProperty("user");
      expect(one?.data).not.toHaveProperty("body_html");
    }
    const late = await site.say(site.bob, article_id);
    await site.put(article_id, { published: false });
    const [third] = await site.sent();
    expect(third?.data).toEqual({ id_code: late.id.toString(26), article_id });
  });

  test("nothing under podcasts of any owner", async () => {
    await site.world.podcast({ slug: "loomcast", owner: site.ada.username });
    const { id: episode_id } = await site.world.episode("loomcast");
    const body = await render(site.world.db, site.world.services.renderPool, "Well said");
    await inTransaction(site.world.db, (tx) =>
      comments.write(tx, { writer: site.bob, target: { episode_id }, body }, RULES),
    );
    expect(await site.sent()).toEqual([]);
  });
});

describe("of reactions and follows the endpoint of whom they are to is sent", () => {
  const reaction = (target: Reaction["target"], category = "fire" as const) => ({
    userId: site.bob.id,
    target,
    category,
  });
  const author = (person: { id: number; username: string }) => ({
    user_id: person.id,
    username: person.username,
  });

  test("which it is, to what, and whose", async () => {
    const { id } = await site.telling.publish(site.ada, "Looms");
    const comment = await site.say(site.ada, id);
    await site.sent();
    await reactions.react(site.world.db, reaction({ articleId: id }), RULES);
    await reactions.react(site.world.db, reaction({ commentId: comment.id }), RULES);
    const shown = await site.read(
      `/api/articles/${(await site.telling.publish(site.bob, "Warps")).id}`,
      site.bob,
    );
    const { user } = shown as { user: object };
    expect((await site.sent()).map(({ type, data }) => [type, data])).toEqual([
      ["reaction_created", { category: "fire", article_id: id, user }],
      ["reaction_created", { category: "fire", id_code: comment.id.toString(26), user }],
    ]);
    expect(user).toMatchObject(author(site.bob));
  });

  test("not a saved article, nor a reaction that was taken back at once", async () => {
    const { id } = await site.telling.publish(site.ada, "Looms");
    await site.sent();
    await reactions.react(site.world.db, reaction({ articleId: id }, "readinglist" as never), RULES);
    await reactions.react(site.world.db, reaction({ articleId: id }), RULES);
    await reactions.unreact(site.world.db, reaction({ articleId: id }), NOW);
    expect(await site.sent()).toEqual([]);
  });

  test("who follows them, unless that was taken back at once or the follower is suspended", async () => {
    const wish = { followerId: site.bob.id, target: { userId: site.ada.id } };
    await follows.follow(site.world.db, wish, RULES);
    const [one] = await site.sent();
    expect(one).toMatchObject({ type: "follow_created", data: author(site.bob) });
    expect(Object.keys(one?.data ?? {})).not.toContain("email");
    await follows.unfollow(site.world.db, wish);
    await follows.follow(site.world.db, wish, RULES);
    await suspend(operator(site.world.db), { id: site.bob.id });
    expect(await site.sent()).toEqual([]);
    await lift(operator(site.world.db), { id: site.bob.id });
    await follows.unfollow(site.world.db, wish);
    await follows.follow(site.world.db, wish, RULES);
    await follows.unfollow(site.world.db, wish);
    expect(await site.sent()).toEqual([]);
  });

  test("not a follow of an organization or a tag", async () => {
    const group = await site.world.organization({
      members: [{ username: site.ada.username, role: "admin" }],
    });
    const wish = { followerId: site.bob.id, target: { organizationId: group.id } };
    await follows.follow(site.world.db, wish, RULES);
    expect(await site.sent()).toEqual([]);
  });
});
