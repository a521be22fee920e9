import { setTimeout as sleep } from "node:timers/promises";
import { operator } from "../../http/actor.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { deliveringForEach, SECOND, START } from "../../../test/events.ts";
import { cases } from "../../../test/setup.ts";
import { startReceiver } from "../../../test/webhooks.ts";
import { lift, suspend } from "../moderation/acts.ts";
import { claim, recordOutcome } from "./deliver.ts";

const site = deliveringForEach();

describe("an endpoint", () => {
  test("is sent nothing while its owner is suspended, and what waited afterwards", async () => {
    await site.queue();
    await suspend(operator(site.world.db), { id: site.ada.id });
    await site.hooks.deliver();
    expect(site.receiver.received).toEqual([]);
    await lift(operator(site.world.db), { id: site.ada.id });
    await site.hooks.deliver();
    expect(site.receiver.received).toHaveLength(1);
  });

  test("is sent two deliveries at once at most, by however many processes, and while it fails one", async () => {
    const open: (() => void)[] = [];
    site.receiver.answerWith((response) => void open.push(() => response.writeHead(500).end()));
    for (let count = 0; count < 5; count++) await site.queue();
    const delivering = [site.hooks.deliver(), site.hooks.deliver()];
    await site.receiver.hasReceived(2);
    // Both have looked again by then.
    await sleep(1_200);
    expect(site.receiver.received).toHaveLength(2);
    // Five failures of new deliveries, one after another, before any is due again.
    for (let count = 2; count < 5; count++) {
      while (open.length > 0) open.pop()?.();
      await site.receiver.hasReceived(count + 1);
      await sleep(600);
      expect(site.receiver.received).toHaveLength(count + 1);
    }
    open.pop()?.();
    await Promise.all(delivering);
    expect(site.receiver.received).toHaveLength(5);
  });

  test("that doesn't answer keeps no other waiting, and holds its place only until its time is over", async () => {
    const tarpit = await startReceiver();
    const attemptMs = cases(15_000, 3_000);
    // A byte now and then.
    tarpit.answerWith((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("x"), attemptMs / 15);
      response.on("close", () => clearInterval(drip));
    });
    const slow = await site.hooks.endpoint(site.ada, { target_url: tarpit.url });
    for (let count = 0; count < 3; count++) await site.queue(slow);
    const delivering = site.hooks.deliver({ attemptMs });
    await tarpit.hasReceived(2);
    await site.queue();
    await site.receiver.hasReceived(1);
    await expect.poll(async () => (await site.only()).state).toBe("delivered");
    const durations = async () => (await site.hooks.deliveries(slow)).map(({ duration_ms }) => duration_ms);
    await expect.poll(durations).toEqual([expect.any(Number), expect.any(Number), null]);
    for (const ms of (await durations()).slice(0, 2)) {
      expect(ms).toBeGreaterThan(attemptMs - 100);
      expect(ms).toBeLessThan(10 * attemptMs);
    }
    expect((await site.only(slow)).failure).toBe("The whole response didn't arrive in time.");
    // The third ends with it.
    await tarpit.stop();
    await delivering;
  });

  test("takes places from no other when it fails", async () => {
    const failing = [
      await site.hooks.endpoint(site.ada, { target_url: `${site.receiver.url}/1` }),
      await site.hooks.endpoint(site.ada, { target_url: `${site.receiver.url}/2` }),
    ];
    await site.world.db
      .updateTable("webhook_endpoints")
      .set({ failing_since: START })
      .where("id", "<>", site.endpoint.id)
      .execute();
    for (const one of failing) await site.queue(one);
    site.pass(SECOND);
    await site.queue();
    const claimed = await claim(site.world.db, { all: 10, failing: 1 }, site.now);
    // The oldest of those that fail, and the one that doesn't.
    const ids = claimed.map(({ endpoint_id }) => endpoint_id);
    expect(new Set(ids)).toEqual(new Set([site.endpoint.id, failing[0]?.id]));
  });

  test("takes turns with the others that fail, however long what it has to be sent has been due", async () => {
    const endpoints = [site.endpoint];
    for (const path of ["b", "c", "d", "e"]) {
      endpoints.push(await site.hooks.endpoint(site.ada, { target_url: `${site.receiver.url}/${path}` }));
    }
    await site.world.db.updateTable("webhook_endpoints").set({ failing_since: START }).execute();
    // Every one has more due than the one behind it.
    for (const one of endpoints) for (let count = 0; count < 3; count++) await site.queue(one);
    const last = endpoints.at(-1);
    await site.world.db
      .updateTable("webhook_deliveries")
      .set({ next_attempt_at: new Date(START.getTime() + SECOND) })
      .where("endpoint_id", "=", last?.id ?? 0)
      .execute();
    const turns: number[] = [];
    for (let round = 0; round < 6; round++) {
      site.pass(10 * SECOND);
      const claimed = await claim(site.world.db, { all: 10, failing: 2 }, site.now);
      turns.push(...claimed.map(({ endpoint_id }) => endpoint_id));
      // No server answers, and failed deliveries are due at once.
      await site.world.db
        .updateTable("webhook_deliveries")
        .set({ lease: null, leased_until: null })
        .execute();
    }
    expect(turns).toHaveLength(12);
    expect(new Set(turns.slice(0, 6))).toEqual(new Set(endpoints.map(({ id }) => id)));
    const counts = endpoints.map(({ id }) => turns.filter((turn) => turn === id).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });
});

describe("a process", () => {
  const room = { all: 10, failing: 10 };
  const outcome = {
    result: "delivered",
    status: 200,
    beginning: null,
    failure: null,
    durationMs: 1,
  } as const;
  const note = (delivery: Awaited<ReturnType<typeof claim>>[number]) =>
    recordOutcome(
      site.world.db,
      { delivery, outcome },
      {
        now: () => site.now,
        random: () => 0.5,
        wantsNext: () => false,
      },
    );

  /** Half a minute later by the database's clock. */
  async function letLeaseRunOut() {
    const { numUpdatedRows } = await site.world.db
      .updateTable("webhook_deliveries")
      .set({ leased_until: sql`leased_until - interval '30 seconds'` })
      .where("leased_until", "is not", null)
      .executeTakeFirst();
    expect(numUpdatedRows).toBe(1n);
  }

  test("that dies with a delivery leaves it to the others after 30 seconds, and its word counts no more", async () => {
    await site.queue();
    const [mine] = await claim(site.world.db, room, site.now);
    // Whatever the clock of the other process says.
    site.pass(60 * SECOND);
    expect(await claim(site.world.db, room, site.now)).toEqual([]);
    await letLeaseRunOut();
    const [theirs] = await claim(site.world.db, room, site.now);
    expect([theirs?.id, theirs?.webhook_id]).toEqual([mine?.id, mine?.webhook_id]);
    expect(mine && (await note(mine))).toEqual({ isRecorded: false });
    expect(await site.only()).toMatchObject({ state: "pending", attempts: 2 });
    expect(theirs && (await note(theirs))).toMatchObject({ isRecorded: true });
    expect(await site.only()).toMatchObject({ state: "delivered", attempts: 2 });
  });

  test("never gets what another one has", async () => {
    const others = await site.hooks.endpoint(site.ada, { target_url: `${site.receiver.url}/b` });
    for (const to of [site.endpoint, site.endpoint, site.endpoint, others]) await site.queue(to);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(site.world.db, room, site.now)));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (let count = 0; count < 4; count++)
      ids.push(...(await claim(site.world.db, room, site.now)).map(({ id }) => id));
    expect([new Set(ids).size, ids.length]).toEqual([3, 3]);
  });

  test("that is stopped gives back what it was sending, as if it had never begun", async () => {
    site.receiver.answerWith(() => {});
    await site.queue();
    const stopping = new AbortController();
    const delivering = site.hooks.deliver({ signal: stopping.signal });
    await site.receiver.hasReceived(1);
    expect(await site.only()).toMatchObject({ attempts: 1, leased_until: expect.any(Date) as Date });
    stopping.abort();
    await delivering;
    expect(await site.only()).toMatchObject({
      state: "pending",
      attempts: 0,
      lease: null,
      next_attempt_at: site.now,
    });
    expect((await site.hooks.find(site.endpoint)).failing_since).toBeNull();
  });

  test("doesn't bring back an endpoint that was removed meanwhile", async () => {
    site.receiver.answerWith((response) => {
      void site.world.db
        .deleteFrom("webhook_endpoints")
        .where("id", "=", site.endpoint.id)
        .execute()
        .then(() => response.end());
    });
    await site.queue();
    await site.hooks.deliver();
    expect(await site.hooks.deliveries(site.endpoint)).toEqual([]);
  });
});
