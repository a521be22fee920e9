import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";
import * as removal from "../articles/removal.ts";
import { inTransaction } from "../db/transaction.ts";
import * as events from "../events/events.ts";
import * as follows from "../follows/follows.ts";
import * as notifications from "./notifications.ts";
import { notification } from "./view.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");
const RULES = { now: NOW, dailyLimit: undefined };

let world: World;
let serial = 0;
/** Others in every test. */
let ada: { id: number; username: string };
let bob: { id: number; username: string };
beforeAll(async () => {
  world = await startWorld({ now: NOW });
});
beforeEach(async () => {
  serial += 1;
  ada = await world.user({ username: `ada_${serial}`, name: "Ada" });
  bob = await world.user({ username: `bob_${serial}`, name: "Bob" });
});
afterAll(() => world.stop());

/** That `user` follows a person. */
const follow = (user: { username: string }, followed: { username: string }) =>
  world.follow({ user: user.username, followed_user: followed.username });

const fanOut = () => notifications.fanOut(world.db, NOW);
const shown = async ({ id }: { id: number }) =>
  (await notifications.list(world.db, id, 100)).map(notification);
/** What is still to be told. */
const left = async () => {
  const { rows } = await sql`
    select from notification_tasks union all select from announcements where due_at < 'infinity'`.execute(
    world.db,
  );
  return rows.length;
};

/** Sends a request with a key of ada's. */
async function send(method: string, url: string, body?: object) {
  const reply = await world.request({ method, url, key: await world.key(ada), body });
  expect([url, reply.status < 300]).toEqual([url, true]);
  return reply.body as { id: number; path: string };
}
const publish = (title: string, more: object = {}) =>
  send("POST", "/api/articles", {
    article: { title, body_markdown: "Some words.", published: true, ...more },
  });

describe("a publication", () => {
  test("is told to those who follow the author or the organization, and to the author, once", async () => {
    const [cleo, dora] = [await world.user(), await world.user()];
    const group = await world.organization({
      username: "guild",
      members: [{ username: ada.username, role: "admin" }],
    });
    await follow(bob, ada);
    for (const { username } of [ada, bob, cleo])
      await world.follow({ user: username, organization: "guild" });
    await follow(dora, bob);
    const { id, path } = await publish("Looms", { organization_id: group.id });
    expect(await fanOut()).toBe(1);
    const told = {
      id: expect.any(Number),
      kind: "article_published",
      created_at: "2026-03-31T12:00:00Z",
      read_at: null,
      article_id: id,
      title: "Looms",
      path,
    };
    for (const person of [ada, bob, cleo]) expect(await shown(person)).toEqual([told]);
    expect(await shown(dora)).toEqual([]);
    expect([await left(), await fanOut()]).toEqual([0, 0]);
  });

  test("is told to a follower who is mentioned in it as a mention", async () => {
    await follow(bob, ada);
    await publish("Looms", { body_markdown: `Hello @${bob.username}` });
    await fanOut();
    expect((await shown(bob)).map(({ kind }) => kind)).toEqual(["mention"]);
  });

  test("is news once: neither an edit nor a second publication is told, nor to new followers", async () => {
    await follow(bob, ada);
    const { id } = await publish("Looms");
    await fanOut();
    await world.db.deleteFrom("notifications").execute();
    await send("PUT", `/api/articles/${id}`, { article: { title: "Better looms" } });
    await fanOut();
    await send("PUT", `/api/articles/${id}`, { article: { published: false } });
    await fanOut();
    await send("PUT", `/api/articles/${id}`, { article: { published: true } });
    await send("DELETE", `/api/articles/${id}`);
    await removal.restore(world.db, id, NOW);
    await fanOut();
    expect([await shown(bob), await left()]).toEqual([[], 0]);
  });

  test("of a draft or of what was scheduled is told when it happens", async () => {
    await follow(bob, ada);
    const { id } = await publish("Looms", { published: false });
    await fanOut();
    expect(await shown(bob)).toEqual([]);
    await send("PUT", `/api/articles/${id}`, { article: { published: true } });
    await fanOut();
    expect((await shown(bob)).map(({ article_id }) => article_id)).toEqual([id]);
  });

  test("that is taken back before anybody was told waits until it is there again", async () => {
    await follow(bob, ada);
    const { id } = await publish("Looms");
    await send("PUT", `/api/articles/${id}`, { article: { published: false } });
    await fanOut();
    expect(await shown(bob)).toEqual([]);
    await send("PUT", `/api/articles/${id}`, { article: { published: true } });
    await fanOut();
    expect([(await shown(bob)).length, await left()]).toEqual([1, 0]);
  });

  test("that is taken back is withdrawn from those who were told", async () => {
    await follow(bob, ada);
    const { id } = await publish("Looms");
    await fanOut();
    await send("PUT", `/api/articles/${id}/unpublish`);
    await fanOut();
    expect(await shown(bob)).toEqual([]);
  });

  test("that is imported is told to nobody", async () => {
    await follow(bob, ada);
    await world.article(ada);
    await fanOut();
    expect(await shown(bob)).toEqual([]);
  });
});

describe("thousands of followers", () => {
  const FANS = 3_500;
  beforeAll(async () => {
    await sql`insert into handles select 'fan_' || n, 'user' from generate_series(1, ${FANS}::int) as n`.execute(
      world.db,
    );
    await sql`insert into users (username, name) select 'fan_' || n, 'Fan' from generate_series(1, ${FANS}::int) as n`.execute(
      world.db,
    );
  });
  beforeEach(async () => {
    await sql`delete from notifications`.execute(world.db);
    await sql`insert into follows (follower_id, followed_user_id)
      select id, ${ada.id} from users where username like 'fan\\_%'`.execute(world.db);
  });

  const perPerson = async () => {
    const { rows } = await sql<{ people: number; most: number }>`
      select count(*)::int as people, max(number)::int as most
      from (select count(*) as number from notifications group by user_id) as counted`.execute(world.db);
    return rows[0];
  };

  test("are told in small transactions, between which others have their turn", async () => {
    await publish("Looms");
    await follows.follow(world.db, { followerId: ada.id, target: { userId: bob.id } }, RULES);
    expect(await fanOut()).toBe(2);
    const { rows } = await sql<{ kind: string; size: number }>`
      select min(kind) as kind, count(*)::int as size from notifications
      group by xmin::text order by min(id)`.execute(world.db);
    expect(rows.map(({ kind, size }) => [kind, size])).toEqual([
      // The author's own.
      ["article_published", 1],
      ["article_published", 1_000],
      ["follow", 1],
      ["article_published", 1_000],
      ["article_published", 1_000],
      ["article_published", 500],
    ]);
  });

  test("are each told exactly once by processes that die on the way", async () => {
    await publish("Looms");
    // What a sequence gives out stays given out, also when the transaction is undone.
    await sql`create sequence batches`.execute(world.db);
    await sql`create function die() returns trigger language plpgsql as $$
      begin
        if nextval('batches') % 2 = 0 then perform pg_terminate_backend(pg_backend_pid()); end if;
        return null;
      end $$`.execute(world.db);
    await sql`create trigger dying after insert on notifications for each statement execute function die()`.execute(
      world.db,
    );
    let deaths = 0;
    while ((await left()) > 0) {
      const works = [fanOut(), fanOut()].map((work) => work.catch(() => void deaths++));
      await Promise.all(works);
      await sql`update announcements set due_at = now() where due_at < 'infinity'`.execute(world.db);
    }
    await sql`drop trigger dying on notifications`.execute(world.db);
    expect(deaths).toBeGreaterThan(1);
    expect(await perPerson()).toEqual({ people: FANS + 1, most: 1 });
  });

  test("are told by many processes at once, each once", async () => {
    for (const title of ["One", "Two", "Three"]) await publish(title);
    await Promise.all(Array.from({ length: 4 }, fanOut));
    await fanOut();
    expect(await perPerson()).toEqual({ people: FANS + 1, most: 3 });
    expect(await left()).toBe(0);
  });

  test("hear no more of what is taken back in the middle", async () => {
    const { id } = await publish("Looms");
    await Promise.all([fanOut(), send("PUT", `/api/articles/${id}/unpublish`)]);
    await fanOut();
    const { rows } = await sql`select from notifications where withdrawn_at is null`.execute(world.db);
    expect(rows).toHaveLength(0);
  });
});

describe("a follow", () => {
  const wish = () => ({ followerId: bob.id, target: { userId: ada.id } });

  test("is told to the person who is followed, until it is taken back, and once", async () => {
    await follows.follow(world.db, wish(), RULES);
    expect(await fanOut()).toBe(1);
    expect(await shown(ada)).toEqual([
      {
        id: expect.any(Number),
        kind: "follow",
        created_at: "2026-03-31T12:00:00Z",
        read_at: null,
        title: "Bob",
        path: `/${bob.username}`,
      },
    ]);
    expect(await shown(bob)).toEqual([]);
    await follows.unfollow(world.db, wish());
    await fanOut();
    expect(await shown(ada)).toEqual([]);
    await follows.follow(world.db, wish(), RULES);
    await fanOut();
    expect([await shown(ada), await left()]).toEqual([[], 0]);
  });

  test("that is taken back at once is told to nobody", async () => {
    await follows.follow(world.db, wish(), RULES);
    await follows.unfollow(world.db, wish());
    expect(await fanOut()).toBe(1);
    expect(await shown(ada)).toEqual([]);
  });

  test("of an organization or a tag is nobody's news, and neither is one that is imported", async () => {
    const group = await world.organization();
    await follows.follow(world.db, { followerId: bob.id, target: { organizationId: group.id } }, RULES);
    await follow(bob, ada);
    expect(await fanOut()).toBe(0);
    expect(await shown(ada)).toEqual([]);
  });

  test("of somebody who is gone by now is told to nobody", async () => {
    await follows.follow(world.db, wish(), RULES);
    await world.db.deleteFrom("users").where("id", "=", bob.id).execute();
    expect(await fanOut()).toBe(1);
    expect([await shown(ada), await left()]).toEqual([[], 0]);
  });

  test("goes with its transaction", async () => {
    const undone = inTransaction(world.db, async (tx) => {
      await follows.follow(tx, wish(), RULES);
      await events.record(tx, "follow_created", { follower_id: bob.id, user_id: ada.id });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([await fanOut(), await left()]).toEqual([0, 0]);
  });
});
