import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectionTo } from "../test/database.ts";
import { until } from "../test/waiting.ts";
import { startWorld, type World } from "../test/world.ts";
import { connect } from "./platform/db/connect.ts";
import * as events from "./platform/events/events.ts";
import { nextDue } from "./platform/events/outbox.ts";
import { untilDue } from "./platform/jobs/poll.ts";
import * as settings from "./platform/settings/settings.ts";
import { startWorker } from "./worker.ts";

describe("what only a newer program knows, an older one leaves to it", () => {
  let world: World;
  let stop: () => Promise<void>;
  let lines: string[];
  beforeEach(async () => {
    world = await startWorld();
    lines = [];
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(world.db);
    const { pool, db } = connect({ connection: connectionTo(rows[0]?.name ?? ""), poolSize: 10 });
    const { services, context } = world;
    const { files, config } = context;
    const worker = await startWorker({
      pool,
      db,
      services,
      files,
      baseUrl: config.baseUrl,
      now: () => new Date(),
      log: (level, line) => void (level === "debug" || lines.push(line)),
    });
    stop = async () => {
      await worker.stop();
      await db.destroy();
    };
  });
  afterEach(async () => {
    await stop();
    await world.stop();
  });

  test("a job", async () => {
    await sql`select graphile_worker.add_job('paint-moods', '{}'::json)`.execute(world.db);
    await sql`select graphile_worker.add_job('render-again', '{}'::json, job_key => 'known')`.execute(
      world.db,
    );
    const jobs = async () =>
      (
        await sql<{ name: string; attempts: number }>`
          select task_identifier as name, attempts from graphile_worker.jobs`.execute(world.db)
      ).rows;
    await until(async () => (await jobs()).length === 1);
    expect(await jobs()).toEqual([{ name: "paint-moods", attempts: 0 }]);
    expect(lines).toEqual([]);
  });

  test("the events of a consumer", async () => {
    const writer = await world.user();
    const article = await world.article(writer);
    await until(async () => (await tasks()).length === 0);
    await sql`
      with given as (
        insert into events (type, payload) values ('article_moved', ${JSON.stringify({ article_id: article.id })}::jsonb)
        returning id
      )
      insert into outbox (consumer, event_id) select consumer, id from given,
        unnest(array['webhooks', 'notifications', 'moods']) as consumer`.execute(world.db);
    await events.record(world.db, "article_updated", { article_id: article.id, published: true });
    await until(async () => (await tasks()).length === 3);
    expect(await tasks()).toEqual([
      { consumer: "moods", type: "article_moved" },
      { consumer: "notifications", type: "article_moved" },
      { consumer: "webhooks", type: "article_moved" },
    ]);
    expect(lines).toEqual([]);
    for (const consumer of ["webhooks", "notifications"] as const) {
      const due = { due: nextDue(consumer), clock: "database", leastMs: 5_000 } as const;
      expect(await untilDue({ db: world.db, now: () => new Date() }, due)(performance.now())).toBe(60_000);
    }
  });

  test("a setting, and a value that it doesn't accept", async () => {
    const newer = { key: "mood", value: JSON.stringify("calm") };
    const stored = { key: "visibility", value: JSON.stringify("members-and-guests") };
    await world.db.insertInto("settings").values([newer, stored]).execute();
    expect(await settings.read(world.db)).toMatchObject({ visibility: "public" });
    await settings.set(world.db, "community_name", "Wool");
    const rows = await world.db.selectFrom("settings").select(["key", "value"]).orderBy("key").execute();
    expect(rows).toEqual([
      { key: "community_name", value: "Wool" },
      { key: "mood", value: "calm" },
      { key: "visibility", value: "members-and-guests" },
    ]);
  });

  const tasks = async () => {
    const { rows } = await sql<{ consumer: string; type: string }>`
      select consumer, type from outbox join events on id = event_id order by consumer`.execute(world.db);
    return rows;
  };
});
