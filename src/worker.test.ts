import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../test/waiting.ts";
import { startWorld, type World } from "../test/world.ts";
import { connectionTo } from "../test/database.ts";
import { connect } from "./platform/db/connect.ts";
import * as events from "./platform/events/events.ts";
import { startWorker } from "./worker.ts";

describe("the worker", () => {
  let world: World;
  let stops: (() => Promise<void>)[];
  const work = async () => {
    const { services, context } = world;
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(world.db);
    const { pool, db } = connect({ connection: connectionTo(rows[0]?.name ?? ""), poolSize: 10 });
    const { files } = context;
    const { baseUrl } = context.config;
    const now = () => new Date();
    const worker = await startWorker({ pool, db, services, files, baseUrl, now, log: () => {} });
    stops.push(async () => {
      await worker.stop();
      await db.destroy();
    });
  };

  beforeEach(async () => {
    world = await startWorld();
    stops = [];
  });
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await world.stop();
  });

  test("makes a scheduled article public at its time, once, however many work", async () => {
    await Promise.all([work(), work(), work()]);
    const author = await world.user();
    const inAnHour = new Date(Date.now() + 3_600_000);
    await world.article(author, { slug: "timed", published_at: inAnHour.toISOString() });
    expect((await world.get("/api/articles/timed")).status).toBe(404);

    const { rows } = await sql<{ at: Date }>`
      update articles set published_at = now() + interval '1.5 s' returning published_at as at`.execute(
      world.db,
    );
    await until(async () => (await world.get("/api/articles/timed")).status === 200);

    expect(Date.now()).toBeGreaterThanOrEqual(Number(rows[0]?.at));
    const events = await world.db.selectFrom("events").select("type").execute();
    expect(events.filter(({ type }) => type === "article_published")).toHaveLength(1);
  });

  test("does a postponed task at its time, though nothing is written meanwhile", async () => {
    await events.record(world.db, "article_published", { article_id: 1 });
    const { rows } = await sql<{ at: Date }>`
      update outbox set due_at = now() + interval '6 s' returning due_at as at`.execute(world.db);
    await work();
    const left = () => world.db.selectFrom("outbox").select("event_id").execute();
    // A poller that didn't know the time would rest for a minute.
    await expect.poll(left, { timeout: 45_000 }).toEqual([]);
    expect(Date.now()).toBeGreaterThanOrEqual(Number(rows[0]?.at));
  });

  test("does what was asked for before it started", async () => {
    await world.user({ username: "dora", name: "Dora Before" });
    await world.article({ username: "dora" }, { slug: "by-dora" });
    await world.user({ username: "dora", name: "Dora Afterwards" });
    await work();
    const found = async (q: string) => {
      const { body } = await world.get(`/api/articles/search?q=${q}`);
      return (body as unknown[]).length;
    };
    await until(async () => (await found("afterwards")) === 1);
    // The worker's pool is none of the server's here: its writes are felt within a second.
    await expect.poll(() => found("before"), { timeout: 45_000 }).toBe(0);
  });
});
