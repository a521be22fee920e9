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
  startWithEndpoint,
  stored,
  world,
} from "../../../test/webhooks.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { claim } from "./deliver.ts";
import { purge } from "./queue.ts";
import { disable } from "./endpoint-state.ts";

startWithEndpoint();

/** A delivery that has come to its end. */
async function over(state: "delivered" | "failed" | "exhausted", at = NOW): Promise<number> {
  const id = await world.delivery(endpoint);
  await world.db
    .updateTable("webhook_deliveries")
    .set({ state, attempts: 10, response_status: 500, next_attempt_at: null, finished_at: at })
    .set({ response_beginning: "x".repeat(1_200), failure: "The endpoint responded with status 500." })
    .where("id", "=", String(id))
    .execute();
  return id;
}
const stop = (reason = "Nothing arrived for 5 days.", at = NOW) =>
  inTransaction(world.db, (tx) => disable(tx, endpoint.id, reason, at));
const DISABLED = {
  status: 422,
  body: { error: expect.stringMatching(/^The webhook endpoint is disabled: enable it first by POST /) },
};

describe("GET /api/webhooks/{id}/deliveries", () => {
  test("is empty at first", async () => {
    expect(await world.get(`/api/webhooks/${endpoint.id}/deliveries`, { key })).toMatchObject({
      status: 200,
      body: [],
    });
  });

  test("lists the newest first, in pages", async () => {
    const [first, second] = [await over("exhausted"), await world.delivery(endpoint)];
    expect(await deliveries()).toEqual([
      {
        type_of: "webhook_delivery",
        id: second,
        event: "article_published",
        state: "pending",
        attempts: 0,
        response_status: null,
        response_beginning: null,
        failure: null,
        next_attempt_at: "2026-03-31T12:00:00Z",
        created_at: "2026-03-31T12:00:00Z",
      },
      expect.objectContaining({
        id: first,
        state: "exhausted",
        attempts: 10,
        response_status: 500,
        response_beginning: "x".repeat(1_000),
        failure: "The endpoint responded with status 500.",
        next_attempt_at: null,
      }),
    ]);
    const page = await world.get(`/api/webhooks/${endpoint.id}/deliveries?per_page=1`, { key });
    expect([page.body, page.headers["link"]]).toEqual([
      [expect.objectContaining({ id: second })],
      expect.stringContaining('rel="next"'),
    ]);
    expect(await deliveries("?per_page=1&page=2")).toMatchObject([{ id: first }]);
    expect(await deliveries("?page=3")).toEqual([]);
  });

  test("holds nothing of another endpoint", async () => {
    const other = await world.webhook(lena);
    await world.delivery(other);
    expect(await deliveries()).toEqual([]);
  });
});

describe("POST /api/webhooks/{id}/deliveries/{delivery_id}/retry", () => {
  test.each(["delivered", "failed", "exhausted"] as const)(
    "makes one due that is %s, with all its attempts and the webhook-id it had",
    async (state) => {
      const id = await over(state);
      const before = await stored(id);
      world.setNow(after(5));
      expect(await post(`deliveries/${id}/retry`)).toMatchObject({
        status: 202,
        body: { id, state: "pending", attempts: 0, next_attempt_at: "2026-03-31T12:05:00Z" },
      });
      const { webhook_id, payload, finished_at } = await stored(id);
      expect([webhook_id, payload, finished_at]).toEqual([before.webhook_id, before.payload, null]);
    },
  );

  test("lets one that waits wait no longer, and keeps its count of attempts", async () => {
    const id = await world.delivery(endpoint);
    const later = { attempts: 3, next_attempt_at: after(120) };
    await world.db.updateTable("webhook_deliveries").set(later).where("id", "=", String(id)).execute();
    expect(await post(`deliveries/${id}/retry`)).toMatchObject({
      status: 202,
      body: { state: "pending", attempts: 3, next_attempt_at: "2026-03-31T12:00:00Z" },
    });
  });

  test("takes none from the process that attempts it now", async () => {
    const id = await world.delivery(endpoint);
    const leased = { lease: "0193b8a4-0000-7000-8000-000000000000", leased_until: after(0.5) };
    await world.db.updateTable("webhook_deliveries").set(leased).where("id", "=", String(id)).execute();
    expect((await post(`deliveries/${id}/retry`)).status).toBe(202);
    expect(await stored(id)).toMatchObject(leased);
  });

  test("is 404 for one of another endpoint, and for none", async () => {
    const id = await world.delivery(await world.webhook(lena));
    const before = await snapshot(world.db);
    for (const wrong of [id, 999, "x"]) {
      expect((await post(`deliveries/${wrong}/retry`)).status).toBe(404);
    }
    expect(await snapshot(world.db)).toEqual(before);
  });

  test("is refused while the endpoint is disabled", async () => {
    const id = await over("failed");
    await stop();
    const before = await snapshot(world.db);
    expect(await post(`deliveries/${id}/retry`)).toMatchObject(DISABLED);
    expect(await snapshot(world.db)).toEqual(before);
  });
});

describe("POST /api/webhooks/{id}/ping", () => {
  test("sends the endpoint what it is, without its secret", async () => {
    const reply = await post("ping");
    expect(reply).toMatchObject({ status: 202, body: { event: "ping", state: "pending", attempts: 0 } });
    const { payload, event_id } = await stored((reply.body as { id: number }).id);
    const { body: data } = await world.get(`/api/webhooks/${endpoint.id}`, { key });
    expect([JSON.parse(payload), event_id]).toEqual([
      { type: "ping", timestamp: "2026-03-31T12:00:00Z", data },
      null,
    ]);
    expect(payload).not.toContain("whsec_");
    expect((await post("ping")).status).toBe(202);
    expect(await deliveries()).toHaveLength(2);
  });

  test("is refused while the endpoint is disabled", async () => {
    await stop();
    expect(await post("ping")).toMatchObject(DISABLED);
    expect(await deliveries()).toEqual([]);
  });
});

describe("POST /api/webhooks/{id}/rotate_secret", () => {
  const rotate = async () => ((await post("rotate_secret")).body as { secret: string }).secret;
  /** The secrets that sign now. */
  async function signing() {
    await world.db.deleteFrom("webhook_deliveries").execute();
    await world.delivery(endpoint);
    const [claimed] = await claim(world.db, { all: 1, failing: 1 }, world.context.now());
    return [claimed?.secret, ...(claimed?.previous_secrets ?? [])];
  }

  test("gives another secret, and every one before its whole day", async () => {
    const [first] = await signing();
    const second = await rotate();
    expect(second).toMatch(/^whsec_.{44}$/);
    expect(second).not.toBe(first);
    world.setNow(after(60));
    const third = await rotate();
    expect(await signing()).toEqual([third, second, first]);
    world.setNow(after(24 * 60));
    expect(await signing()).toEqual([third, second]);
    await purge(world.db, world.context.now());
    expect(await world.db.selectFrom("webhook_previous_secrets").select("secret").execute()).toEqual([
      { secret: second },
    ]);
    world.setNow(after(25 * 60));
    expect(await signing()).toEqual([third]);
  });

  test("is refused when five before are still valid", async () => {
    for (let n = 0; n < 5; n++) await rotate();
    expect(await post("rotate_secret")).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining("change it again after 2026-04-01T12:00:00Z") },
    });
    expect(await signing()).toHaveLength(6);
    world.setNow(after(24 * 60));
    expect((await post("rotate_secret")).status).toBe(200);
  });
});
