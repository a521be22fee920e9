import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { deliveringForEach, HOUR, SECOND } from "../../../test/events.ts";
import { scrape } from "../../../test/health.ts";
import { mailingIn } from "../../../test/mail-server.ts";
import { enqueue as enqueueMail } from "../../mail/queue.ts";
import * as events from "../../platform/events/events.ts";
import { enqueue } from "../../platform/jobs/queue.ts";

describe("what waits in the database", () => {
  const at = deliveringForEach();
  const queues = async () => {
    const figures = await scrape(at.world);
    const of = (figure: string) => (queue: string) =>
      figures.get(`inkstone_queue_${figure}{queue="${queue}"}`);
    return { due: of("due"), oldest: of("oldest_due_seconds"), all: figures };
  };
  const nextLook = () => at.pass(30 * SECOND);

  test("is nothing on a quiet site", async () => {
    const { all, due, oldest } = await queues();
    expect(all.get("inkstone_database_up")).toBe(1);
    for (const queue of [
      "jobs",
      "notifications",
      "webhook_events",
      "fetches",
      "mails",
      "webhook_deliveries",
      "webhook_deliveries_failing",
    ])
      expect([queue, due(queue), oldest(queue)]).toEqual([queue, 0, 0]);
  });

  test("are mails, and the attempts to send them are counted", async () => {
    const { world } = at;
    const { all: before } = await queues();
    await enqueueMail(world.db, { kind: "sign_in_link", userId: at.ada.id, about: {} }, world.context.now());
    at.pass(60 * SECOND);
    const waiting = await queues();
    expect([waiting.due("mails"), waiting.oldest("mails")]).toEqual([1, 60]);
    await mailingIn(world).send({ server: undefined });
    nextLook();
    const { all, due } = await queues();
    const name = 'inkstone_mails_total{result="failed"}';
    expect([due("mails"), (all.get(name) ?? NaN) - (before.get(name) ?? NaN)]).toEqual([0, 1]);
  });

  test("are webhooks, those of endpoints that fail apart, and the attempts are counted", async () => {
    const { world, hooks, receiver } = at;
    const before = (await queues()).all;
    await at.queue();
    await at.queue();
    at.pass(60 * SECOND);
    const waiting = await queues();
    expect([waiting.due("webhook_deliveries"), waiting.oldest("webhook_deliveries")]).toEqual([2, 60]);
    receiver.answerWith((response) => void response.writeHead(500).end());
    await hooks.deliver();
    at.pass(HOUR);
    const failing = await queues();
    expect([failing.due("webhook_deliveries"), failing.due("webhook_deliveries_failing")]).toEqual([0, 2]);
    expect(failing.oldest("webhook_deliveries_failing")).toBeGreaterThan(60);
    receiver.answerWith((response) => void response.writeHead(204).end());
    await hooks.deliver();
    nextLook();
    const { all, due } = await queues();
    expect(due("webhook_deliveries_failing")).toBe(0);
    const counted = (result: string) => {
      const name = `inkstone_webhook_attempts_total{result="${result}"}`;
      return (all.get(name) ?? NaN) - (before.get(name) ?? NaN);
    };
    expect([counted("failed"), counted("delivered")]).toEqual([2, 2]);
    await at.queue();
    await world.db.updateTable("users").set({ suspended: true }).where("id", "=", at.ada.id).execute();
    nextLook();
    expect((await queues()).due("webhook_deliveries")).toBe(0);
  });

  test("is looked at every five seconds at most", async () => {
    expect((await queues()).due("webhook_deliveries")).toBe(0);
    await at.queue();
    at.pass(4 * SECOND);
    expect((await queues()).due("webhook_deliveries")).toBe(0);
    at.pass(SECOND);
    expect((await queues()).due("webhook_deliveries")).toBe(1);
  });

  test("are news to be told, jobs to be done, and what is to be fetched, once they are due", async () => {
    const { db } = at.world;
    await sql`delete from outbox`.execute(db);
    await sql`with made as (insert into events (type, payload) values ('a', '{}'), ('b', '{}') returning id, type)
      insert into outbox (consumer, event_id, due_at) select 'notifications', id, now() + case type when 'a' then interval '-90 s' else '1 h' end from made`.execute(
      db,
    );
    await events.record(db, "article_published", { article_id: 1 });
    await sql`insert into fetches (kind, id, due_at) values ('podcast', 1, ${at.now}), ('feed', 1, ${at.now}), ('feed', 2, ${new Date(at.now.getTime() + HOUR)})`.execute(
      db,
    );
    await enqueue(db, "render-again", {});
    await enqueue(db, "refresh-articles", { author_id: 1 }, { delaySeconds: 600 });
    nextLook();
    const { due, oldest } = await queues();
    expect(due("notifications")).toBe(2);
    expect(oldest("notifications")).toBeGreaterThanOrEqual(90);
    expect([due("webhook_events"), due("fetches"), oldest("fetches"), due("jobs")]).toEqual([1, 2, 30, 1]);
  });
});
