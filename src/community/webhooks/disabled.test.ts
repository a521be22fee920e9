import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { snapshot } from "../../../test/own-database.ts";
import {
  after,
  deliveries,
  endpoint,
  key,
  lena,
  NOW,
  post,
  shown as shownDelivery,
  startWithEndpoint,
  stored,
  world,
} from "../../../test/webhooks.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as notifications from "../notifications/notifications.ts";
import { notification } from "../notifications/view.ts";
import type { Jobs } from "../../platform/jobs/queue.ts";
import { disable, resendMissed } from "./endpoint-state.ts";

startWithEndpoint();

/** A delivery that has come to its end. */
async function over(state: "delivered" | "failed" | "exhausted", at = NOW): Promise<number> {
  const id = await world.delivery(endpoint);
  await world.db
    .updateTable("webhook_deliveries")
    .set({ state, attempts: 10, response_status: 500, next_attempt_at: null, finished_at: at })
    .where("id", "=", String(id))
    .execute();
  return id;
}
const stop = (reason = "Nothing arrived for 5 days.", at = NOW) =>
  inTransaction(world.db, (tx) => disable(tx, endpoint.id, reason, at));
describe("an endpoint that is disabled", () => {
  const shown = async () => (await notifications.list(world.db, lena.id, 10)).map((row) => notification(row));

  test("shows since when, has nothing waiting, and its owner is notified once", async () => {
    const id = await world.delivery(endpoint);
    expect([await stop(), await stop()]).toEqual([true, false]);
    expect((await world.get(`/api/webhooks/${endpoint.id}`, { key })).body).toMatchObject({
      disabled_at: "2026-03-31T12:00:00Z",
      disabled_reason: "Nothing arrived for 5 days.",
    });
    expect(await shownDelivery(id)).toMatchObject({
      state: "failed",
      failure: "The endpoint was disabled before this was delivered.",
      next_attempt_at: null,
    });
    expect(await shown()).toEqual([
      {
        id: expect.any(Number),
        kind: "webhook_disabled",
        created_at: "2026-03-31T12:00:00Z",
        read_at: null,
        title: "https://hooks.example/a",
        path: `/api/webhooks/${endpoint.id}`,
      },
    ]);
    await world.db.deleteFrom("webhook_endpoints").execute();
    expect(await shown()).toEqual([]);
  });

  test("fails what is queued for it at once", async () => {
    await stop();
    const id = await world.delivery(endpoint);
    expect(await shownDelivery(id)).toMatchObject({ state: "failed", next_attempt_at: null });
  });

  test("is sent what it has missed when it is enabled, and nothing of before or of trying it", async () => {
    const missed = [await world.delivery(endpoint)];
    const [early, delivered] = [await over("exhausted", after(-60)), await over("delivered")];
    expect((await post("ping")).status).toBe(202);
    await world.db
      .updateTable("webhook_endpoints")
      .set({ failing_since: after(-30) })
      .execute();
    missed.push(await over("exhausted", after(-10)));
    await stop();
    // As if the clock of the queueing process were behind.
    world.setNow(after(-1));
    missed.push(await world.delivery(endpoint));
    world.setNow(after(60));
    expect(await post("enable")).toMatchObject({ status: 202, body: { disabled_at: null } });
    const due = (await deliveries()).filter(({ state }) => state === "pending").map(({ id }) => id);
    expect(due.toSorted((a, b) => a - b)).toEqual(missed);
    expect([(await stored(early)).state, (await stored(delivered)).state]).toEqual([
      "exhausted",
      "delivered",
    ]);
    expect(
      await world.db.selectFrom("webhook_endpoints").select(["failing_since", "disabled_reason"]).execute(),
    ).toEqual([{ failing_since: null, disabled_reason: null }]);
  });

  test("has more than a request can change made due again in the background", async () => {
    const { db } = world;
    await sql`
      insert into webhook_deliveries (endpoint_id, webhook_id, event, payload, created_at, next_attempt_at)
      select ${endpoint.id}, 'msg_' || n, 'article_published', '{}', ${NOW}, ${after(30)}
      from generate_series(1, 4500) as n`.execute(db);
    const dueAt = async (date: Date) => {
      const due = db.selectFrom("webhook_deliveries").where("next_attempt_at", "=", date);
      return (await due.select("id").execute()).length;
    };
    // The server's worker, which takes the jobs of requests.
    const work = async () => {
      const { rows } = await sql<{ payload: Jobs["resend-missed"] }>`
        with taken as (
          delete from graphile_worker._private_jobs where task_id in (
            select id from graphile_worker._private_tasks where identifier = 'resend-missed'
          ) returning payload
        ) select payload from taken`.execute(db);
      for (const { payload } of rows) await resendMissed(db, payload);
      return rows.length;
    };
    await stop();
    world.setNow(after(10));
    expect((await post("enable")).status).toBe(202);
    expect(await dueAt(after(10))).toBe(2_000);
    // Nothing is lost when it is disabled and enabled again in between.
    await stop("It was tired.", after(11));
    world.setNow(after(12));
    await post("enable");
    expect(await work()).toBe(2);
    expect(await dueAt(after(12))).toBe(4_500);
    expect(await work()).toBe(0);
  });

  test("that isn't stays as it is when it is enabled", async () => {
    const id = await over("exhausted");
    const before = await snapshot(world.db);
    expect((await post("enable")).status).toBe(202);
    expect(await snapshot(world.db)).toEqual(before);
    expect((await stored(id)).state).toBe("exhausted");
  });
});
