import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectionTo } from "../../../test/database.ts";
import { feedHost } from "../../../test/feeds.ts";
import { hooksIn, type Receiver, startReceiver } from "../../../test/webhooks.ts";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { until } from "../../../test/waiting.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { connect } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as events from "../events/events.ts";
import { contentOf } from "../files/files.ts";
import { removeFiles } from "../files/removal.ts";
import { enqueue } from "../../mail/queue.ts";
import { mailsIn } from "../../../test/mail-server.ts";
import { startWorker } from "../../worker.ts";
import * as outbound from "./outbound.ts";

/** Several rounds of every poller. */
const ROUNDS_MS = 1_500;

describe("a site that was restored", () => {
  const there = feedHost();
  let world: World;
  let receiver: Receiver;
  let stop: () => Promise<void>;
  beforeEach(async () => {
    world = await startWorld({ config: { allowPrivateNetwork: true } });
    receiver = await startReceiver();
    await outbound.hold(world.db, new Date("2026-03-02T09:15:00Z"));
    const { pool, db } = connect({ connection: connectionTo(world.name), poolSize: 10 });
    const { services, context } = world;
    const { files, config, now } = context;
    const worker = await startWorker({
      pool,
      db,
      services,
      files,
      baseUrl: config.baseUrl,
      now,
      log: () => {},
    });
    stop = async () => {
      await worker.stop();
      await db.destroy();
    };
  });
  afterEach(async () => {
    await stop();
    await receiver.stop();
    await world.stop();
  });
  const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(world.name) }));

  test("removes no file, which the site that was saved may need", async () => {
    const { files } = world.context;
    const store = { db: world.db, files };
    await files.put("uploads/aa.png", Buffer.from("a picture"));
    expect(await removeFiles(store, ["uploads/aa.png"])).toBe(0);
    expect(await contentOf(files, "uploads/aa.png")).toBeDefined();
    await outbound.resume(world.db);
    expect(await removeFiles(store, ["uploads/aa.png"])).toBe(1);
    expect(await files.get("uploads/aa.png")).toBeUndefined();
  });

  test("makes deliveries and fetches due, but sends none until inkstone outbound resume", async () => {
    there.put("/zoe.png", { body: "no picture" });
    const zoe = await world.user({ profile_image: there.at("/zoe.png") });
    const hooks = hooksIn(world);
    const endpoint = await hooks.endpoint(zoe, { target_url: `${receiver.url}/hook` });
    const article = await world.article(zoe);
    await inTransaction(world.db, (tx) => events.record(tx, "article_published", { article_id: article.id }));
    await until(async () => (await hooks.deliveries(endpoint)).length === 1);
    await enqueue(world.db, { kind: "password_changed", userId: zoe.id, about: {} }, new Date());
    const mails = async () => (await mailsIn(world.db)).map(({ state, attempts }) => [state, attempts]);
    await sleep(ROUNDS_MS);
    expect(await mails()).toEqual([["pending", 0]]);
    expect(await hooks.deliveries(endpoint)).toMatchObject([{ state: "pending", attempts: 0 }]);
    expect([receiver.received.length, there.asked("/zoe.png")]).toEqual([0, []]);

    const { out } = await inkstone("doctor");
    expect(out).toContain(
      "warn  held requests: Webhook deliveries, emails and fetches are held since the site was restored, 2026-03-02T09:15:00Z: when it takes the place of the one that was saved, run `inkstone outbound resume`.",
    );
    expect(await inkstone("outbound", "resume")).toEqual({
      code: 0,
      out: "Deliveries, emails and fetches leave the site again.\n",
      err: "",
    });
    await until(async () => (await hooks.deliveries(endpoint))[0]?.state === "delivered");
    await until(() => there.asked("/zoe.png").length > 0);
    // No server is set: it becomes a notification.
    await until(async () => (await mails()).length === 0);
    expect(receiver.received).toHaveLength(1);
    expect((await inkstone("outbound", "resume")).out).toMatch(/^Nothing was held/);
    expect((await inkstone("doctor")).out).toContain("ok    held requests: ");
    await hooks.stop();
  });
});
