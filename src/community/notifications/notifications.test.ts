import { sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as events from "../../platform/events/events.ts";
import * as notifications from "./notifications.ts";
import { notification } from "./view.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");

describe("notifications", () => {
  let ada: { id: number; username: string };
  let bob: { id: number; username: string };
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    ada = await world.user({ username: "ada", name: "Ada" });
    bob = await world.user({ username: "bob", name: "Bob" });
  });
  afterEach(async () => {
    await sql`truncate articles, notifications, outbox, organizations cascade`.execute(world.superuser);
    await world.db.deleteFrom("users").where("id", "not in", [ada.id, bob.id]).execute();
    await world.db.deleteFrom("handles").where("username", "not in", ["ada", "bob"]).execute();
  });

  const write = (body_markdown: string, fields: object = {}) =>
    world.article(ada, { title: "Looms", slug: "looms-1a", body_markdown, ...fields });
  /** Does to an article what its verbs do, as far as notifications see it. */
  const change = (id: number, state: string, ...types: string[]) =>
    inTransaction(world.db, async (tx) => {
      await tx.updateTable("articles").set({ state, published_at: NOW }).where("id", "=", id).execute();
      for (const type of types) await events.record(tx, type as "article_published", { article_id: id });
    });
  const fanOut = () => notifications.fanOut(world.db, NOW);
  const shown = async ({ id }: { id: number }) =>
    (await notifications.list(world.db, id, 100)).map(notification);
  const tasks = async () => (await sql`select from outbox`.execute(world.db)).rows.length;

  test("tell people who are mentioned when an article is published, and its author of that alone", async () => {
    const { id } = await write("Hello @Bob, @nobody and @ada. Not `@cleo`.");
    const cleo = await world.user({ username: "cleo" });
    await change(id, "published", "article_published");
    expect(await fanOut()).toBe(1);
    expect(await shown(bob)).toEqual([
      {
        id: expect.any(Number),
        kind: "mention",
        created_at: "2026-03-31T12:00:00Z",
        read_at: null,
        article_id: id,
        title: "Looms",
        path: "/ada/looms-1a",
      },
    ]);
    expect(await shown(cleo)).toEqual([]);
    expect((await shown(ada)).map(({ kind }) => kind)).toEqual(["article_published"]);
    expect(await tasks()).toBe(0);
  });

  test("name the path under the organization, the newest first", async () => {
    await world.organization({ username: "tinkerlab", members: [{ username: "ada", role: "admin" }] });
    const one = await write("@bob", { slug: "one-1a" });
    const two = await write("@bob", { slug: "two-1a", organization: "tinkerlab" });
    for (const { id } of [one, two]) await change(id, "published", "article_published");
    expect(await fanOut()).toBe(2);
    expect((await shown(bob)).map(({ path }) => path)).toEqual(["/tinkerlab/two-1a", "/ada/one-1a"]);
    expect(await notifications.list(world.db, bob.id, 1)).toHaveLength(1);
  });

  test("say nothing of what isn't published, nor of an import", async () => {
    const { id } = await write("@bob", { published: false });
    await change(id, "draft", "article_updated");
    await change(id, "scheduled", "article_updated");
    await write("@bob", { slug: "imported-1a" });
    await fanOut();
    expect(await shown(bob)).toEqual([]);
  });

  test("tell of new mentions only when an article is edited", async () => {
    const cleo = await world.user({ username: "cleo" });
    const { id } = await write("@bob");
    await change(id, "published", "article_published");
    await fanOut();
    await world.db.updateTable("articles").set({ body_html: "<p>@bob @cleo</p>" }).execute();
    await change(id, "published", "article_updated");
    await change(id, "published", "article_updated");
    expect(await fanOut()).toBe(2);
    expect([(await shown(bob)).length, (await shown(cleo)).length]).toEqual([1, 1]);
  });

  test("are withdrawn when the article is unpublished, and shown again when it is published again", async () => {
    const cleo = await world.user({ username: "cleo" });
    const { id } = await write("@bob");
    await change(id, "published", "article_published");
    await fanOut();
    await change(id, "unpublished", "article_unpublished", "article_updated");
    await fanOut();
    expect(await shown(bob)).toEqual([]);
    await world.db.updateTable("articles").set({ body_html: "<p>@bob @cleo</p>" }).execute();
    await change(id, "published", "article_published");
    await fanOut();
    expect([(await shown(bob)).length, (await shown(cleo)).length]).toEqual([1, 1]);
  });

  test("reach no person when the article is unpublished before they are sent", async () => {
    const { id } = await write("@bob");
    await change(id, "published", "article_published");
    await change(id, "unpublished", "article_unpublished");
    await fanOut();
    expect(await shown(bob)).toEqual([]);
  });

  test("go with their article, whose tasks then have nothing to do", async () => {
    const { id } = await write("@bob");
    await change(id, "published", "article_published");
    await fanOut();
    await change(id, "published", "article_updated");
    await world.db.deleteFrom("articles").execute();
    expect(await fanOut()).toBe(1);
    expect([await shown(bob), await tasks()]).toEqual([[], 0]);
  });

  test("are in the transaction of their cause or not at all", async () => {
    const { id } = await write("@bob");
    const undone = inTransaction(world.db, async (tx) => {
      await events.record(tx, "article_published", { article_id: id });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([await tasks(), await fanOut()]).toEqual([0, 0]);
  });

  test("come once, however many processes send them and however often it was said", async () => {
    const articles: { id: number }[] = [];
    for (let n = 0; n < 20; n += 1) articles.push(await write("@bob @ada", { slug: `many-${n}a` }));
    for (let time = 0; time < 3; time += 1) {
      for (const { id } of articles) await change(id, "published", "article_published");
      await Promise.all(Array.from({ length: 4 }, fanOut));
    }
    expect((await shown(bob)).map(({ article_id }) => Number(article_id)).toSorted((a, b) => a - b)).toEqual(
      articles.map(({ id }) => id).toSorted((a, b) => a - b),
    );
    expect(await tasks()).toBe(0);
  });

  test("of many articles that change together come as each of them is now", async () => {
    const cleo = await world.user({ username: "cleo" });
    const [one, two, gone, hidden, edited] = [
      await write("@bob", { slug: "one-1a" }),
      await write("@bob and @cleo", { slug: "two-1a" }),
      await write("@bob", { slug: "gone-1a" }),
      await write("@bob", { slug: "hidden-1a" }),
      await write("Write to bob@ada.example or @cleo", { slug: "edited-1a" }),
    ];
    for (const { id } of [one, two, gone, hidden]) await change(id, "published", "article_published");
    await change(hidden.id, "unpublished", "article_unpublished");
    await change(edited.id, "published", "article_updated", "article_updated");
    await change(two.id, "published", "article_updated");
    await world.db.deleteFrom("articles").where("id", "=", gone.id).execute();
    expect(await fanOut()).toBe(8);
    const told = async (person: { id: number }) =>
      (await shown(person)).map(({ kind, article_id }) => [kind, Number(article_id)]);
    expect(await told(bob)).toEqual([
      ["mention", two.id],
      ["mention", one.id],
    ]);
    expect(await told(cleo)).toEqual([
      ["mention", edited.id],
      ["mention", two.id],
    ]);
    expect(await told(ada)).toEqual([
      ["article_published", two.id],
      ["article_published", one.id],
    ]);
    const announced = await world.db.selectFrom("announcements").select("article_id").execute();
    expect(announced).toEqual([{ article_id: hidden.id }]);
    await change(hidden.id, "published", "article_published");
    await fanOut();
    expect(await told(bob)).toContainEqual(["mention", hidden.id]);
    expect(await told(ada)).toContainEqual(["article_published", hidden.id]);
  });

  test("unpublishing at the same moment leaves nothing behind", async () => {
    const { id } = await write("@bob");
    for (let round = 0; round < 10; round += 1) {
      await sql`delete from notifications`.execute(world.db);
      await change(id, "published", "article_published");
      await Promise.all([fanOut(), change(id, "unpublished", "article_unpublished"), fanOut()]);
      await fanOut();
      expect(await shown(bob)).toEqual([]);
    }
  });

  test("a failing task is postponed and delays no other", async () => {
    const stuck = await write("@bob", { slug: "stuck-1a" });
    const fine = await write("@bob", { slug: "fine-1a" });
    for (const { id } of [stuck, fine]) await change(id, "published", "article_published");
    await sql`alter table notifications add constraint broken check (article_id <> ${sql.lit(stuck.id)})`.execute(
      world.superuser,
    );
    await expect(fanOut()).rejects.toThrow("broken");
    expect((await shown(bob)).map(({ article_id }) => Number(article_id))).toEqual([fine.id]);
    // Nothing is due before the minute is over.
    expect([await fanOut(), await tasks()]).toEqual([0, 1]);
    await sql`alter table notifications drop constraint broken`.execute(world.superuser);
    await sql`update outbox set due_at = now() - interval '1 second'`.execute(world.db);
    expect(await fanOut()).toBe(1);
    expect(await shown(bob)).toHaveLength(2);
  });

  test("a process that dies on the way leaves its task to the next one", async () => {
    const { id } = await write("@bob");
    await change(id, "published", "article_published");
    const dying = await world.pool.connect();
    const { rows } = await dying.query<{ pid: number }>("select pg_backend_pid() as pid");
    await dying.query("begin");
    await dying.query("delete from outbox");
    expect(await fanOut()).toBe(0);
    dying.on("error", () => {});
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(world.superuser);
    await expect.poll(fanOut).toBe(1);
    dying.release(true);
    expect(await shown(bob)).toHaveLength(1);
  });
});
