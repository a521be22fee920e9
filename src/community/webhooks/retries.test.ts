import { beforeEach, describe, expect, test } from "vitest";
import { DAY, deliveringForEach, HOUR, SECOND, START } from "../../../test/events.ts";
import { verify } from "../../../test/webhooks.ts";
import { finishedWrites, inTransaction } from "../../platform/db/transaction.ts";
import { insert as enqueue } from "./delivery-queries.ts";
import { disable, enable } from "./endpoint-state.ts";

const site = deliveringForEach();

describe("a delivery that fails", () => {
  beforeEach(() => site.receiver.answerWith((response) => void response.writeHead(500).end("Out of wool")));

  test("is sent ten times over three days, with the same id and a date of its own, and is then exhausted", async () => {
    await site.queue();
    const pauses: (number | undefined)[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      await site.hooks.deliver();
      const pause = await site.dueIn();
      pauses.push(pause);
      expect(await site.only()).toMatchObject({ attempts: attempt, response_beginning: "Out of wool" });
      if (pause === undefined) continue;
      // A moment too early.
      site.pass(pause * SECOND - 1);
      await site.hooks.deliver();
      expect(site.receiver.received).toHaveLength(attempt);
      site.pass(1);
    }
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600);
    expect(pauses).toEqual([5, 300, 1_800, ...hours, undefined]);
    expect(await site.only()).toMatchObject({ state: "exhausted", attempts: 10, finished_at: site.now });
    const { received } = site.receiver;
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    const [last] = received.slice(-1);
    expect(last && verify(last, site.endpoint.secret, site.now)).toMatchObject({ type: "ping" });
    await site.hooks.deliver();
    expect(site.receiver.received).toHaveLength(10);
  });

  test("leaves the responses in memory as they are", async () => {
    await site.queue();
    const before = finishedWrites(site.world.db);
    await site.hooks.deliver();
    expect(await site.only()).toMatchObject({ attempts: 1 });
    expect(finishedWrites(site.world.db)).toBe(before);
  });

  test("is delivered as soon as it succeeds, and the endpoint isn't failing any more", async () => {
    await site.queue();
    await site.hooks.deliver();
    expect((await site.hooks.find(site.endpoint)).failing_since).toEqual(START);
    site.pass(5 * SECOND);
    site.receiver.answerWith((response) => void response.end());
    await site.hooks.deliver();
    expect(await site.only()).toMatchObject({ state: "delivered", attempts: 2, failure: null });
    expect((await site.hooks.find(site.endpoint)).failing_since).toBeNull();
  });

  test("disables its endpoint when that has only failed for five days, and its owner is notified once", async () => {
    await site.queue();
    await site.hooks.deliver();
    site.pass(5 * DAY - 1);
    await site.queue();
    await site.hooks.deliver();
    expect(await site.hooks.find(site.endpoint)).toMatchObject({ disabled_at: null, failing_since: START });
    expect(await site.toldOf(site.ada)).toEqual([]);
    site.pass(HOUR);
    await Promise.all([site.hooks.deliver(), site.hooks.deliver()]);
    expect(await site.hooks.find(site.endpoint)).toMatchObject({
      disabled_at: site.now,
      disabled_reason: "No delivery to the endpoint has succeeded for five days.",
    });
    expect(await site.toldOf(site.ada)).toEqual(["webhook_disabled"]);
    expect(await site.hooks.shown(site.endpoint)).toMatchObject([{ state: "failed" }, { state: "failed" }]);
    const before = site.receiver.received.length;
    site.pass(DAY);
    await site.hooks.deliver();
    expect(site.receiver.received).toHaveLength(before);
  });

  test("doesn't disable an endpoint that something reached in between", async () => {
    await site.queue();
    await site.hooks.deliver();
    site.pass(4 * DAY);
    site.receiver.answerWith((response) => void response.end());
    await site.hooks.deliver();
    site.receiver.answerWith((response) => void response.writeHead(500).end());
    site.pass(2 * DAY);
    await site.queue();
    await site.hooks.deliver();
    expect(await site.hooks.find(site.endpoint)).toMatchObject({
      disabled_at: null,
      failing_since: site.now,
    });
  });

  test("is sent again when its endpoint is enabled", async () => {
    await inTransaction(site.world.db, (tx) =>
      enqueue(tx, { endpointId: site.endpoint.id, event: "follow_created", payload: "{}" }, site.now),
    );
    await inTransaction(site.world.db, (tx) => disable(tx, site.endpoint.id, "Because.", site.now));
    await site.hooks.deliver();
    expect(site.receiver.received).toEqual([]);
    site.receiver.answerWith((response) => void response.end());
    site.pass(HOUR);
    await inTransaction(site.world.db, (tx) => enable(tx, site.endpoint.id, site.now));
    await site.hooks.deliver();
    expect(await site.only()).toMatchObject({ state: "delivered", attempts: 1 });
  });
});
