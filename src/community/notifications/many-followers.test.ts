import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Telling, tellingIn } from "../../../test/events.ts";
import { worldForAll } from "../../../test/world.ts";
import * as events from "../../platform/events/events.ts";

const NOW = new Date("2026-03-31T12:00:00.250Z");

describe("thousands of followers", () => {
  const FANS = 3_500;
  let telling: Telling;
  let serial = 0;
  /** Others in every test. */
  let ada: { id: number };
  let bob: { id: number };
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
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

  const perPerson = async () => {
    const { rows } = await sql<{ people: number; most: number }>`
      select count(*)::int as people, max(number)::int as most
      from (select count(*) as number from notifications group by user_id) as counted`.execute(world.db);
    return rows[0];
  };

  /** Follows as the API writes them. */
  async function followAtOnce(followed: { id: number }, count: number): Promise<void> {
    const { rows } = await sql<{ follower_id: number }>`
      insert into follows (follower_id, followed_user_id)
      select id, ${followed.id} from users where username like 'fan\\_%' order by id limit ${count}
      returning follower_id`.execute(world.db);
    await events.recordAll(
      world.db,
      rows.map(({ follower_id }) => ["follow_created", { follower_id, user_id: followed.id }]),
    );
  }

  test("are told in small transactions, between which others have their turn", async () => {
    await telling.publish(ada, "Looms");
    await followAtOnce(bob, 150);
    expect(await telling.fanOut()).toBe(151);
    const { rows } = await sql<{ kind: string; size: number }>`
      select min(kind) as kind, count(*)::int as size from notifications
      group by xmin::text order by min(id)`.execute(world.db);
    expect(rows.map(({ kind, size }) => [kind, size])).toEqual([
      // The author's own, and 99 follows.
      ["article_published", 100],
      ["article_published", 1_000],
      ["follow", 51],
      ["article_published", 1_000],
      ["article_published", 1_000],
      ["article_published", 500],
    ]);
  });

  test("get one notification for each of many articles, in transactions that are as small", async () => {
    const cleo = await world.user();
    await sql`insert into follows (follower_id, followed_user_id)
      select id, ${bob.id} from users where username like 'fan\\_%' order by id limit 60`.execute(world.db);
    await telling.publish(ada, "Looms");
    for (let n = 0; n < 30; n += 1) await telling.publish(n % 3 === 0 ? cleo : bob, `Wool ${n}`);
    expect(await telling.fanOut()).toBe(31);
    const { rows } = await sql<{ told: number; people: number }>`
      select told, count(*)::int as people from (
        select count(distinct article_id)::int as told from notifications group by user_id
      ) as counted group by told order by told`.execute(world.db);
    expect(rows).toEqual([
      { told: 1, people: FANS - 60 + 1 },
      { told: 10, people: 1 },
      { told: 20, people: 1 },
      { told: 21, people: 60 },
    ]);
    const { rows: sizes } = await sql<{ most: number; steps: number }>`
      select max(size)::int as most, count(*)::int as steps from (
        select count(*) as size from notifications where actor_id is not null group by xmin::text
      ) as steps`.execute(world.db);
    expect(sizes[0]?.most).toBeLessThanOrEqual(1_000);
    expect(sizes[0]?.steps).toBeLessThan(10);
    expect(await telling.left()).toBe(0);
  });

  test("are each told exactly once by processes that die on the way", async () => {
    await telling.publish(ada, "Looms");
    // What a sequence gives out stays given out, also when the transaction is undone.
    await sql`create sequence batches`.execute(world.superuser);
    await sql`create function die() returns trigger language plpgsql security definer as $$
      begin
        if nextval('batches') % 2 = 0 then perform pg_terminate_backend(pg_backend_pid()); end if;
        return null;
      end $$`.execute(world.superuser);
    await sql`create trigger dying after insert on notifications for each statement execute function die()`.execute(
      world.superuser,
    );
    while ((await telling.left()) > 0) {
      await Promise.allSettled([telling.fanOut(), telling.fanOut()]);
      await sql`update announcements set due_at = now() where due_at < 'infinity'`.execute(world.db);
    }
    await sql`drop trigger dying on notifications`.execute(world.superuser);
    const { rows } = await sql<{ deaths: number }>`
      select (last_value / 2)::int as deaths from batches`.execute(world.superuser);
    expect(rows[0]?.deaths).toBeGreaterThan(1);
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
