import { describe, expect, test } from "vitest";
import { hearingForEach, NOW, types } from "../../../test/events.ts";
import * as articleUpkeep from "../articles/upkeep.ts";
import { operator } from "../../http/actor.ts";
import * as removal from "../articles/removal.ts";

const site = hearingForEach();

describe("of an article its author's endpoint is sent", () => {
  test("that it was created and published, when it is created published, as the author reads it", async () => {
    const { id } = await site.telling.publish(site.ada, "Looms");
    const all = await site.sent();
    expect(types(all)).toEqual(["article_created", "article_published"]);
    const shown = await site.read(`/api/articles/${id}`, site.ada);
    for (const one of all) {
      expect(Object.keys(one)).toEqual(["type", "timestamp", "data"]);
      expect(one.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(one.data).toEqual(shown);
    }
  });

  test("nothing while it is a draft, and never that it was created when it is published later", async () => {
    const { id } = await site.telling.publish(site.ada, "Looms", { published: false });
    await site.put(id, { title: "Better looms" });
    expect(await site.sent()).toEqual([]);
    await site.put(id, { published: true });
    expect(types(await site.sent())).toEqual(["article_updated", "article_published"]);
  });

  test("that it was updated, unpublished and published again", async () => {
    const { id } = await site.telling.publish(site.ada, "Looms");
    await site.sent();
    await site.put(id, { title: "Better looms" });
    const [updated] = await site.sent();
    expect(updated).toMatchObject({ type: "article_updated", data: { id, title: "Better looms" } });
    await site.put(id, { published: false });
    const unpublished = await site.sent();
    expect(types(unpublished)).toEqual(["article_updated", "article_unpublished"]);
    // To others it isn't there any more.
    expect(unpublished[1]?.data).toEqual(await site.read(`/api/articles/${id}`, site.ada));
    expect(unpublished[1]?.data).toMatchObject({ id, published_at: null });
    await site.put(id, { published: true });
    expect(types(await site.sent())).toEqual(["article_updated", "article_published"]);
  });

  test("that a moderator unpublished it", async () => {
    const { id } = await site.telling.publish(site.ada, "Looms");
    await site.sent();
    await site.telling.send(site.bob, "PUT", `/api/articles/${id}/unpublish`);
    expect(types(await site.sent())).toEqual(["article_updated", "article_unpublished"]);
  });

  test("that it was published when its time has come", async () => {
    const published_at = "2026-03-31T12:30:00Z";
    const { id } = await site.telling.publish(site.ada, "Looms", { published_at });
    expect(await site.sent()).toEqual([]);
    await articleUpkeep.publishDue(site.world.db, new Date(published_at));
    const all = await site.sent();
    expect(types(all)).toEqual(["article_published"]);
    expect(all[0]?.data).toMatchObject({ id, published_at });
  });

  test("that it was deleted and restored, but nothing of a deleted draft", async () => {
    const { id, path } = await site.telling.publish(site.ada, "Looms");
    const draft = await site.telling.publish(site.ada, "Warps", { published: false });
    await site.sent();
    await site.telling.send(site.ada, "DELETE", `/api/articles/${draft.id}`);
    await site.telling.send(site.ada, "DELETE", `/api/articles/${id}`);
    expect(await site.sent()).toEqual([
      {
        type: "article_destroyed",
        timestamp: expect.any(String) as string,
        data: { id, title: "Looms", path },
      },
    ]);
    await removal.restore(
      operator(site.world.db, () => NOW),
      id,
    );
    expect(types(await site.sent())).toEqual(["article_published"]);
  });

  test("only what it was called, when it is deleted before anything was sent", async () => {
    const { id, path } = await site.telling.publish(site.ada, "Looms");
    await site.telling.send(site.ada, "DELETE", `/api/articles/${id}`);
    const all = await site.sent();
    expect(types(all)).toEqual(["article_created", "article_published", "article_destroyed"]);
    for (const { data } of all) expect(data).toEqual({ id, title: "Looms", path });
  });

  test("everything of an organization's article too, whose other members are sent nothing", async () => {
    const group = await site.world.organization({
      members: [site.ada, site.bob].map(({ username }) => ({ username, role: "admin" })),
    });
    const others = await site.hooks.endpoint(site.bob, { target_url: "https://hooks.example/b" });
    await site.telling.publish(site.ada, "Looms", { organization_id: group.id });
    expect([types(await site.sent()), await site.sent(others)]).toEqual([
      ["article_created", "article_published"],
      [],
    ]);
  });

  test("its text only as far as it fits, which is said", async () => {
    await site.telling.publish(site.ada, "Looms", { body_markdown: "Wörter und 🧶. ".repeat(700) });
    await site.telling.publish(site.ada, "Warps", { body_markdown: "Words. ".repeat(1_200) });
    const [long, , short] = await site.sent();
    expect(long?.data).toMatchObject({ title: "Looms", truncated: true });
    expect(Object.keys(long?.data ?? {})).not.toContain("body_markdown");
    expect(Object.keys(long?.data ?? {})).not.toContain("body_html");
    expect(short?.data).toMatchObject({ body_html: expect.stringContaining("Words.") as string });
    expect(short?.data).not.toHaveProperty("truncated");
  });
});
