import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Telling, tellingIn } from "../../test/telling.ts";
import { startWorld, type World } from "../../test/world.ts";
import { follows } from "../../test/actors.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");
const RULES = { now: NOW, dailyLimit: undefined };

describe("thousands of followers", () => {
  const FANS = 3_500;
  let world: World;
  let telling: Telling;
  let serial = 0;
  /** Others in every test. */
  let ada: { id: number };
  let bob: { id: number };
  beforeAll(async () => {
    world = await startWorld({ now: NOW });
    telling = tellingIn(world, NOW);
    await sql`insert into handles select 'fan_' || n, 'user' from generate_series(1, ${FANS}::int) as n`.execute(
      world.db,
    );
    await sql`insert into users (username, name) select 'fan_' || n, 'Fan' from generate_series(1, ${FANS}::int) as n`.execute(
      world.db,
    );
  });
  beforeEach(async () => {
    serial += 1;
    ada = await world.user({ username: `ada_${serial}` });
    bob = await world.user({ username: `bob_${serial}` });
    await sql`delete from notifications`.execute(world.db);
    await sql`insert into follows (follower_id, followed_user_id)
      select id, ${ada.id} from users where username like 'fan\\_%'`.execute(world.db);
  });
  afterAll(() => world.stop());

  const perPerson = async () => {
    const { rows } = await sql<{ people: number; most: number }>`
      select count(*)::int as people, max(number)::int as most
      from (select count(*) as number from notifications group by user_id) as counted`.execute(world.db);
    return rows[0];
  };

  test("are told in small transactions, between which others have their turn", async () => {
    await telling.publish(ada, "Looms");
    await follows.follow(world.db, { followerId: ada.id, target: { userId: bob.id } }, RULES);
    expect(await telling.fanOut()).toBe(2);
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
    await telling.publish(ada, "Looms");
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
    while ((await telling.left()) > 0) {
      const works = [telling.fanOut(), telling.fanOut()].map((work) => work.catch(() => void deaths++));
      await Promise.all(works);
      await sql`update announcements set due_at = now() where due_at < 'infinity'`.execute(world.db);
    }
    await sql`drop trigger dying on notifications`.execute(world.db);
    expect(deaths).toBeGreaterThan(1);
    expect(await perPerson()).toEqual({ people: FANS + 1, most: 1 });
  });

  test("are told by many processes at once, each once", async () => {
    for (const title of ["One", "Two", "Three"]) await telling.publish(ada, title);
    await Promise.all(Array.from({ length: 4 }, telling.fanOut));
    await telling.fanOut();
    expect(await perPerson()).toEqual({ people: FANS + 1, most: 3 });
    expect(await telling.left()).toBe(0);
  });

  test("hear no more of what is taken back in the middle", async () => {
    const { id } = await telling.publish(ada, "Looms");
    await Promise.all([telling.fanOut(), telling.send(ada, "PUT", `/api/articles/${id}/unpublish`)]);
    await telling.fanOut();
    const { rows } = await sql`select from notifications where withdrawn_at is null`.execute(world.db);
    expect(rows).toHaveLength(0);
  });
});
