import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Hooks, hooksIn, verify } from "../../test/hooks.ts";
import { type Receiver, startReceiver } from "../../test/receiver.ts";
import { startWorld, type World } from "../../test/world.ts";
import { inTransaction } from "../db/transaction.ts";
import * as notifications from "../notifications/notifications.ts";
import * as standing from "../users/standing.ts";
import { claim } from "./claiming.ts";
import { noteOutcome } from "./outcomes.ts";
import { pingPayload } from "./payload.ts";
import { enqueue } from "./queue.ts";
import { disable, enable } from "./standing.ts";

const START = new Date("2026-03-31T12:00:00Z");
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: World;
let hooks: Hooks;
let receiver: Receiver;
let ada: { id: number };
let endpoint: { id: number; secret: string };
let now: Date;
beforeAll(async () => {
  world = await startWorld({ now: START });
  hooks = hooksIn(world);
});
beforeEach(async () => {
  setNow(START);
  receiver = await startReceiver();
  ada = await world.user();
  endpoint = await hooks.endpoint(ada, { target_url: `${receiver.url}/hook?a=1` });
});
afterEach(async () => {
  await world.db.deleteFrom("webhook_endpoints").execute();
  await receiver.stop();
});
afterAll(async () => {
  await hooks.stop();
  await world.stop();
});

function setNow(date: Date): void {
  now = date;
  world.setNow(date);
}
const pass = (ms: number) => setNow(new Date(now.getTime() + ms));

/** Queues something to be sent. */
const queue = (to = endpoint, data: object = { says: "Hi 🧶" }) =>
  inTransaction(world.db, (tx) =>
    enqueue(tx, { endpointId: to.id, event: "ping", payload: pingPayload(data, now) }, now),
  );

async function only(of = endpoint) {
  const [delivery] = await hooks.deliveries(of);
  if (delivery === undefined) throw new Error("there is a delivery");
  return delivery;
}

/** How many seconds from now on the delivery is attempted again. */
async function dueIn(): Promise<number | undefined> {
  const { next_attempt_at: next } = await only();
  return next ? (next.getTime() - now.getTime()) / SECOND : undefined;
}

const toldOf = async ({ id }: { id: number }) =>
  (await notifications.list(world.db, id, 10)).map(({ kind }) => kind);

describe("a delivery", () => {
  test("is one POST of the payload, signed, as the public package verifies", async () => {
    await queue();
    await hooks.deliver();
    const delivery = await only();
    expect(receiver.received).toHaveLength(1);
    const [request] = receiver.received;
    expect([request?.path, request?.body]).toEqual(["/hook?a=1", delivery.payload]);
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^Inkstone\/\d/) as string,
      "webhook-id": delivery.webhook_id,
      "webhook-timestamp": String(START.getTime() / SECOND),
    });
    expect(request && verify(request, endpoint.secret, now)).toEqual(JSON.parse(delivery.payload));
    expect(delivery).toMatchObject({
      ...{ state: "delivered", attempts: 1, response_status: 204, failure: null, next_attempt_at: null },
      ...{ finished_at: now, lease: null, leased_until: null, response_beginning: null },
    });
  });

  test("is nobody's while there is nothing due", async () => {
    await hooks.deliver();
    await queue();
    pass(-SECOND);
    await hooks.deliver();
    expect(receiver.received).toEqual([]);
  });

  test("keeps the beginning of what it is answered, as far as that can be stored", async () => {
    receiver.answerWith((response) => void response.end(`\0A${"é".repeat(40_000)}`));
    await queue();
    await hooks.deliver();
    const { response_beginning: kept, state } = await only();
    expect([state, kept?.slice(0, 3)]).toEqual(["delivered", "\u{FFFD}Aé"]);
    expect(kept).toMatch(/^\u{FFFD}Aé{8000,}$/u);
    expect(Buffer.byteLength(kept ?? "")).toBeLessThanOrEqual(16 * 1_024);
  });

  test("that is answered without end is read no further than 64 KiB", async () => {
    let isClosed = false;
    receiver.answerWith((response) => {
      response.on("close", () => (isClosed = true));
      const more = () => {
        while (!response.closed && response.write("x".repeat(4_096)));
      };
      response.on("drain", more);
      more();
    });
    await queue();
    await hooks.deliver();
    expect((await only()).state).toBe("delivered");
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe("an answer", () => {
  test.each([200, 201, 202, 204, 299])("of status %i is a success", async (status) => {
    receiver.answerWith((response) => void response.writeHead(status).end());
    await queue();
    await hooks.deliver();
    expect(await only()).toMatchObject({ state: "delivered", attempts: 1, response_status: status });
  });

  test.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 422, 429, 500, 502, 503, 504])(
    "of status %i is a failure that is tried again, and no redirect is followed",
    async (status) => {
      receiver.answerWith(
        (response) => void response.writeHead(status, { location: `${receiver.url}/b` }).end(),
      );
      await queue();
      await hooks.deliver();
      expect(await only()).toMatchObject({
        ...{ state: "pending", attempts: 1, response_status: status },
        failure: expect.stringContaining(`It answered with status ${status}`) as string,
      });
      expect([await dueIn(), receiver.received.length]).toEqual([5, 1]);
    },
  );

  test("of status 410 disables the endpoint at once, and its owner is told", async () => {
    receiver.answerWith((response) => void response.writeHead(410).end());
    await queue();
    pass(SECOND);
    await queue();
    await hooks.deliver();
    const states = (await hooks.deliveries(endpoint)).map(({ state }) => state);
    expect(states).toEqual(["failed", "failed"]);
    expect(await hooks.find(endpoint)).toMatchObject({
      disabled_at: now,
      disabled_reason: "It answered with status 410, which says that it wants nothing more.",
    });
    expect(await toldOf(ada)).toEqual(["webhook_disabled"]);
  });

  test.each([
    [429, "90", 90],
    [503, "90", 90],
    [503, new Date(START.getTime() + 2 * HOUR).toUTCString(), 7_200],
    [429, "1", 5],
    [429, "999999", 86_400],
    [429, "tomorrow", 5],
    [500, "90", 5],
  ])("of status %i with Retry-After %s is waited for, %i seconds", async (status, header, seconds) => {
    receiver.answerWith((response) => void response.writeHead(status, { "retry-after": header }).end());
    await queue();
    await hooks.deliver();
    expect(await dueIn()).toBe(seconds);
  });

  test("that never comes is given up, for any reason, in a sentence without what was connected to", async () => {
    const nowhere = await hooks.endpoint(ada, { target_url: "http://nowhere.invalid/" });
    await queue(nowhere);
    receiver.answerWith((response) => void response.destroy());
    await queue();
    await hooks.deliver();
    expect(await only(nowhere)).toMatchObject({
      ...{ state: "pending", attempts: 1, response_status: null },
      failure: expect.stringContaining("nowhere.invalid") as string,
    });
    expect(await only()).toMatchObject({ state: "pending", response_status: null });
  });
});

describe("a delivery that fails", () => {
  beforeEach(() => receiver.answerWith((response) => void response.writeHead(500).end("Out of wool")));

  test("is sent ten times over three days, with the same id and a date of its own, and is then exhausted", async () => {
    await queue();
    const pauses: (number | undefined)[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      await hooks.deliver();
      const pause = await dueIn();
      pauses.push(pause);
      expect(await only()).toMatchObject({ attempts: attempt, response_beginning: "Out of wool" });
      if (pause === undefined) continue;
      // A moment too early.
      pass(pause * SECOND - 1);
      await hooks.deliver();
      expect(receiver.received).toHaveLength(attempt);
      pass(1);
    }
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600);
    expect(pauses).toEqual([5, 300, 1_800, ...hours, undefined]);
    expect(await only()).toMatchObject({ state: "exhausted", attempts: 10, finished_at: now });
    const { received } = receiver;
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    const [last] = received.slice(-1);
    expect(last && verify(last, endpoint.secret, now)).toMatchObject({ type: "ping" });
    await hooks.deliver();
    expect(receiver.received).toHaveLength(10);
  });

  test("is delivered as soon as it succeeds, and the endpoint isn't failing any more", async () => {
    await queue();
    await hooks.deliver();
    expect((await hooks.find(endpoint)).failing_since).toEqual(START);
    pass(5 * SECOND);
    receiver.answerWith((response) => void response.end());
    await hooks.deliver();
    expect(await only()).toMatchObject({ state: "delivered", attempts: 2, failure: null });
    expect((await hooks.find(endpoint)).failing_since).toBeNull();
  });

  test("disables its endpoint when that has only failed for five days, and its owner is told once", async () => {
    await queue();
    await hooks.deliver();
    pass(5 * DAY - 1);
    await queue();
    await hooks.deliver();
    expect(await hooks.find(endpoint)).toMatchObject({ disabled_at: null, failing_since: START });
    expect(await toldOf(ada)).toEqual([]);
    pass(HOUR);
    await Promise.all([hooks.deliver(), hooks.deliver()]);
    expect(await hooks.find(endpoint)).toMatchObject({
      disabled_at: now,
      disabled_reason: "Nothing could be delivered to it for five days.",
    });
    expect(await toldOf(ada)).toEqual(["webhook_disabled"]);
    expect((await hooks.deliveries(endpoint)).map(({ state }) => state)).toEqual(["failed", "failed"]);
    const before = receiver.received.length;
    pass(DAY);
    await hooks.deliver();
    expect(receiver.received).toHaveLength(before);
  });

  test("doesn't disable an endpoint that something reached in between", async () => {
    await queue();
    await hooks.deliver();
    pass(4 * DAY);
    receiver.answerWith((response) => void response.end());
    await hooks.deliver();
    receiver.answerWith((response) => void response.writeHead(500).end());
    pass(2 * DAY);
    await queue();
    await hooks.deliver();
    expect(await hooks.find(endpoint)).toMatchObject({ disabled_at: null, failing_since: now });
  });

  test("is sent again when its endpoint is enabled", async () => {
    await inTransaction(world.db, (tx) =>
      enqueue(tx, { endpointId: endpoint.id, event: "follow_created", payload: "{}" }, now),
    );
    await inTransaction(world.db, (tx) => disable(tx, endpoint.id, "Because.", now));
    await hooks.deliver();
    expect(receiver.received).toEqual([]);
    receiver.answerWith((response) => void response.end());
    pass(HOUR);
    await inTransaction(world.db, (tx) => enable(tx, endpoint.id, now));
    await hooks.deliver();
    expect(await only()).toMatchObject({ state: "delivered", attempts: 1 });
  });
});

describe("an endpoint", () => {
  test("is sent nothing while its owner is suspended, and what waited afterwards", async () => {
    await queue();
    await standing.suspend(world.db, ada.id);
    await hooks.deliver();
    expect(receiver.received).toEqual([]);
    await standing.unsuspend(world.db, ada.id);
    await hooks.deliver();
    expect(receiver.received).toHaveLength(1);
  });

  test("is sent two deliveries at once at most, by however many processes, and while it fails one", async () => {
    const open: (() => void)[] = [];
    receiver.answerWith((response) => void open.push(() => response.writeHead(500).end()));
    for (let count = 0; count < 5; count++) await queue();
    const delivering = [hooks.deliver(), hooks.deliver()];
    await receiver.hasReceived(2);
    // Both have looked again by then.
    await sleep(1_200);
    expect(receiver.received).toHaveLength(2);
    // Five failures of new deliveries, one after another, before any is due again.
    for (let count = 2; count < 5; count++) {
      while (open.length > 0) open.pop()?.();
      await receiver.hasReceived(count + 1);
      await sleep(600);
      expect(receiver.received).toHaveLength(count + 1);
    }
    open.pop()?.();
    await Promise.all(delivering);
    expect(receiver.received).toHaveLength(5);
  });

  test("that doesn't answer keeps no other waiting, and holds its place for 15 seconds at most", async () => {
    // One byte a second.
    const drips: NodeJS.Timeout[] = [];
    receiver.answerWith((response, { path }) => {
      if (path !== "/slow") return void response.end();
      response.writeHead(200);
      drips.push(setInterval(() => response.write("x"), 1_000));
    });
    const slow = await hooks.endpoint(ada, { target_url: `${receiver.url}/slow` });
    for (let count = 0; count < 3; count++) await queue(slow);
    const delivering = hooks.deliver();
    await receiver.hasReceived(2);
    await queue();
    await receiver.hasReceived(3);
    expect(receiver.received[2]?.path).toBe("/hook?a=1");
    await expect.poll(async () => (await only()).state).toBe("delivered");
    const durations = async () => (await hooks.deliveries(slow)).map(({ duration_ms }) => duration_ms);
    await expect.poll(durations, { timeout: 20_000 }).toEqual([expect.any(Number), expect.any(Number), null]);
    for (const ms of (await durations()).slice(0, 2)) {
      expect(ms).toBeGreaterThan(14_900);
      expect(ms).toBeLessThan(20_000);
    }
    expect((await only(slow)).failure).toBe("There was no whole answer in time.");
    for (const drip of drips) clearInterval(drip);
    // What the third waits for.
    await receiver.stop();
    await delivering;
    receiver = await startReceiver();
  }, 60_000);

  test("takes places from no other when it fails", async () => {
    const failing = [
      await hooks.endpoint(ada, { target_url: `${receiver.url}/1` }),
      await hooks.endpoint(ada, { target_url: `${receiver.url}/2` }),
    ];
    await world.db
      .updateTable("webhook_endpoints")
      .set({ failing_since: START })
      .where("id", "<>", endpoint.id)
      .execute();
    for (const one of failing) await queue(one);
    pass(SECOND);
    await queue();
    const claimed = await claim(world.db, { all: 10, failing: 1 }, now);
    expect(claimed.map(({ endpoint_id }) => endpoint_id).toSorted()).toEqual(
      [endpoint.id, failing[0]?.id].toSorted(),
    );
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
    noteOutcome(world.db, delivery, outcome, { now: () => now, random: () => 0.5 });

  test("that dies with a delivery leaves it to the others after 30 seconds, and its word counts no more", async () => {
    await queue();
    const [mine] = await claim(world.db, room, now);
    pass(30 * SECOND - 1);
    expect(await claim(world.db, room, now)).toEqual([]);
    pass(1);
    const [theirs] = await claim(world.db, room, now);
    expect([theirs?.id, theirs?.webhook_id]).toEqual([mine?.id, mine?.webhook_id]);
    expect(mine && (await note(mine))).toBe(false);
    expect(await only()).toMatchObject({ state: "pending", attempts: 0 });
    expect(theirs && (await note(theirs))).toBe(true);
    expect(await only()).toMatchObject({ state: "delivered", attempts: 1 });
  });

  test("never gets what another one has", async () => {
    const others = await hooks.endpoint(ada, { target_url: `${receiver.url}/b` });
    for (const to of [endpoint, endpoint, endpoint, others]) await queue(to);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(world.db, room, now)));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (let count = 0; count < 4; count++)
      ids.push(...(await claim(world.db, room, now)).map(({ id }) => id));
    expect([new Set(ids).size, ids.length]).toEqual([3, 3]);
  });

  test("that is stopped gives back what it was sending, as if it had never begun", async () => {
    receiver.answerWith(() => {});
    await queue();
    const stopping = new AbortController();
    const delivering = hooks.deliver({ signal: stopping.signal });
    await receiver.hasReceived(1);
    expect((await only()).leased_until).toEqual(new Date(now.getTime() + 30 * SECOND));
    stopping.abort();
    await delivering;
    expect(await only()).toMatchObject({ state: "pending", attempts: 0, lease: null, next_attempt_at: now });
    expect((await hooks.find(endpoint)).failing_since).toBeNull();
  });

  test("doesn't bring back an endpoint that was removed meanwhile", async () => {
    receiver.answerWith((response) => {
      void world.db
        .deleteFrom("webhook_endpoints")
        .where("id", "=", endpoint.id)
        .execute()
        .then(() => response.end());
    });
    await queue();
    await hooks.deliver();
    expect(await hooks.deliveries(endpoint)).toEqual([]);
  });
});
