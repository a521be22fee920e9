import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import * as articleUpkeep from "../articles/upkeep.ts";
import { operator } from "../../http/actor.ts";
import * as removal from "../articles/removal.ts";
import * as notifications from "./notifications.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const minutes = (number: number) => new Date(NOW.getTime() + number * 60_000);

describe("what people are told of an article that goes and comes back", () => {
  let ada: { id: number };
  let bob: { id: number };
  let key: string;
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    ada = await world.user({ username: "ada" });
    bob = await world.user({ username: "bob" });
    key = await world.key(ada);
  });

  const fanOut = (now = NOW) => notifications.fanOut(world.db, now);
  const send = (method: string, url: string, article?: object) =>
    world.request({ method, url: `/api/articles${url}`, key, ...(article && { body: { article } }) });
  async function write(title: string, fields: object): Promise<number> {
    const { body } = await send("POST", "", { title, body_markdown: "Hello @bob", ...fields });
    return (body as { id: number }).id;
  }
  async function toldOf(articleId: number) {
    const told = async (person: { id: number }) =>
      (await notifications.list(world.db, person.id, 100))
        .filter(({ article_id }) => article_id === articleId)
        .map(({ id, kind, created_at }) => ({ id, kind, created_at }));
    return { ada: await told(ada), bob: await told(bob) };
  }
  const first = {
    ada: [{ id: expect.anything(), kind: "article_published", created_at: NOW }],
    bob: [{ id: expect.anything(), kind: "mention", created_at: NOW }],
  };
  const nothing = { ada: [], bob: [] };

  test("unpublished and published again it is shown as it was, and told once", async () => {
    const id = await write("Looms", { published: true });
    await fanOut();
    const before = await toldOf(id);
    expect(before).toEqual(first);
    await send("PUT", `/${id}/unpublish`);
    await fanOut(minutes(1));
    expect(await toldOf(id)).toEqual(nothing);
    await send("PUT", `/${id}`, { published: true });
    await fanOut(minutes(2));
    expect(await toldOf(id)).toEqual(before);
  });

  test("deleted and restored it is shown as it was, and told once", async () => {
    const id = await write("Wool", { published: true });
    await fanOut();
    const before = await toldOf(id);
    expect(before).toEqual(first);
    await send("DELETE", `/${id}`);
    await fanOut(minutes(1));
    expect(await toldOf(id)).toEqual(nothing);
    await removal.restore(
      operator(world.db, () => minutes(2)),
      id,
    );
    await fanOut(minutes(2));
    expect(await toldOf(id)).toEqual(before);
  });

  test("a person who is mentioned no more isn't notified again", async () => {
    const id = await write("Yarn", { published: true });
    await fanOut();
    await send("PUT", `/${id}/unpublish`);
    await fanOut();
    await send("PUT", `/${id}`, { published: true, body_markdown: "Hello" });
    await fanOut();
    expect(await toldOf(id)).toEqual({ ...first, bob: [] });
  });

  test("its author learns of a publication that was scheduled, and nothing of a draft", async () => {
    const id = await write("Later", { published: true, published_at: minutes(10).toISOString() });
    const draft = await write("Never", {});
    await fanOut();
    expect([await toldOf(id), await toldOf(draft)]).toEqual([nothing, nothing]);
    await articleUpkeep.publishDue(world.db, minutes(10));
    await fanOut();
    expect(await toldOf(id)).toEqual(first);
  });

  test("its author learns nothing of one that an import brought, whatever becomes of it", async () => {
    const { id } = await world.article({ username: "ada" }, { slug: "imported-1a", body_markdown: "a" });
    await send("PUT", `/${id}`, { title: "Changed" });
    await send("PUT", `/${id}/unpublish`);
    await send("PUT", `/${id}`, { published: true });
    await fanOut();
    expect(await toldOf(id)).toEqual(nothing);
  });

  test("an article that an import locks is retried soon, and delays no other", async () => {
    const held = await write("Held", { published: true });
    const free = await write("Free", { published: true });
    const holder = await world.pool.connect();
    await holder.query("begin");
    await holder.query("select from articles where id = $1 for update", [held]);
    await expect(fanOut()).rejects.toThrow("lock timeout");
    expect([await toldOf(held), await toldOf(free)]).toEqual([nothing, first]);
    await holder.query("rollback");
    holder.release();
    const { rows } = await sql<{ soon: boolean }>`
      select due_at <= now() + interval '10 seconds' as soon from outbox where consumer = 'notifications'`.execute(
      world.db,
    );
    expect(rows).toEqual([{ soon: true }]);
    await sql`update outbox set due_at = now() - interval '1 second'`.execute(world.db);
    expect(await fanOut()).toBe(1);
    expect(await toldOf(held)).toEqual(first);
  });
});
