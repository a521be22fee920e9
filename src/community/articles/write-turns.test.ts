import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { type Reply, startWorld, type World } from "../../../test/world.ts";
import { buildApp } from "../../app.ts";
import type { Db } from "../../platform/db/connect.ts";
import { createRenderPool } from "../../content/text/render-pool.ts";

/** How many wait for a lock, one after another, each until its patience ends. */
const HELD = cases(4, 2);
const NOW = new Date("2026-03-31T12:00:00Z");

// A body over the deadline costs its whole time; the real one would only make the tests longer.
const renderPool = createRenderPool({ deadlineMs: 300 });

describe("who has much to write", () => {
  let world: World;
  let ada: Awaited<ReturnType<World["user"]>>;
  let keys: Record<"ada" | "bob", string>;
  let serial = 0;
  beforeAll(async () => {
    const build: typeof buildApp = (context, services) => buildApp(context, { ...services, renderPool });
    world = await startWorld({ build, now: NOW });
    ada = await world.user();
    keys = { ada: await world.key(ada), bob: await world.key(await world.user()) };
  });
  afterAll(async () => {
    await renderPool.close();
    await world.stop();
  });

  const create = (who: keyof typeof keys, fields: object = {}) =>
    world.request({
      method: "POST",
      url: "/api/articles",
      key: keys[who],
      body: { article: { title: `Article ${++serial}`, body_markdown: "a", ...fields } },
    });

  /** Sends this many articles of Ada, and returns the answers. */
  function send(count: number, fields: object = {}) {
    const answered: Reply[] = [];
    const all = Array.from({ length: count }, async () => answered.push(await create("ada", fields)));
    return { answered, all: Promise.all(all) };
  }

  /** Runs `work` while Ada's row is locked, as by an import. */
  async function whileHeld(work: (tx: Db) => Promise<void>): Promise<void> {
    await world.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${ada.id} for update`.execute(tx);
      await work(tx);
    });
  }

  async function countWaiting(): Promise<number | undefined> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db);
    return rows[0]?.count;
  }

  test("delays no other by bodies that take long to render", async () => {
    await Promise.all([create("ada"), create("bob")]);
    const { answered, all } = send(6, { body_markdown: "<b>".repeat(273_000) });
    await expect.poll(() => answered.length, { interval: 10 }).toBeGreaterThan(0);
    expect((await create("bob")).status).toBe(201);
    // First come, first served on two threads, five of them would have come first.
    expect(answered.length).toBeLessThan(5);
    await all;
    expect(answered.map(({ status }) => status)).toEqual(Array(6).fill(422));
  });

  test("delays no other while a lock blocks it, and is asked to come back", async () => {
    await whileHeld(async () => {
      const { answered, all } = send(HELD);
      expect((await create("bob")).status).toBe(201);
      expect(answered.length).toBeLessThan(HELD);
      await all;
      for (const reply of answered) {
        expect(reply).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
      }
    });
    expect((await create("ada")).status).toBe(201);
    expect(world.bugs).toEqual([]);
  });

  test("is asked to come back when too many wait, and others aren't", async () => {
    const { answered, all } = send(300);
    expect((await create("bob")).status).toBe(201);
    await all;
    const of = (status: number) => answered.filter((reply) => reply.status === status).length;
    expect([of(201) > 0, of(503) > 0, of(201) + of(503)]).toEqual([true, true, 300]);
  });

  test("writes at the time when their turn comes", async () => {
    let sent: ReturnType<typeof send> | undefined;
    const later = new Date(NOW.getTime() + 20_000);
    await whileHeld(async () => {
      sent = send(2, { published: true });
      await expect.poll(countWaiting, { interval: 20 }).toBe(1);
      world.setNow(later);
    });
    await sent?.all;
    const dates = sent?.answered.map(({ body }) => (body as { published_at: string }).published_at);
    expect(dates?.toSorted()).toEqual(["2026-03-31T12:00:00Z", "2026-03-31T12:00:20Z"]);
  });
});
