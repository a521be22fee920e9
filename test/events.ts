import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { render } from "../src/community/comments/body.ts";
import { inTransaction } from "../src/platform/db/transaction.ts";
import * as notifications from "../src/community/notifications/notifications.ts";
import { notification } from "../src/community/notifications/view.ts";
import { insert as enqueue } from "../src/community/webhooks/delivery-queries.ts";
import { payloadOf } from "../src/community/webhooks/queue.ts";
import { comments } from "./actors.ts";
import { type Hooks, hooksIn, type Receiver, startReceiver } from "./webhooks.ts";
import { startWorld, type World } from "./world.ts";

export const START = new Date("2026-03-31T12:00:00Z");
export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;
export const RULES_OF_FOLLOWS = { now: START, limit: undefined, dailyLimit: undefined };

/** An owner with an endpoint and its server, new for every test; the test sets the time. */
export function deliveringForEach() {
  let world: World;
  let hooks: Hooks;
  let receiver: Receiver;
  let ada: { id: number };
  let endpoint: { id: number; secret: string };
  let now: Date;
  const setNow = (date: Date) => {
    now = date;
    world.setNow(date);
  };
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

  /** The delivery of an endpoint that has one. */
  async function only(of: { id: number } = endpoint) {
    const [delivery] = await hooks.deliveries(of);
    if (delivery === undefined) throw new Error("there is a delivery");
    return delivery;
  }

  return {
    get world() {
      return world;
    },
    get hooks() {
      return hooks;
    },
    get receiver() {
      return receiver;
    },
    get ada() {
      return ada;
    },
    get endpoint() {
      return endpoint;
    },
    get now() {
      return now;
    },
    pass: (ms: number) => setNow(new Date(now.getTime() + ms)),
    /** Queues something to be sent. */
    queue: (to: { id: number } = endpoint) =>
      inTransaction(world.db, (tx) => {
        const payload = payloadOf("ping", now, { says: "Hi 🧶" });
        return enqueue(tx, { endpointId: to.id, event: "ping", payload }, now);
      }),
    only,
    /** In how many seconds the delivery is attempted again. */
    async dueIn(): Promise<number | undefined> {
      const { next_attempt_at: next } = await only();
      return next ? (next.getTime() - now.getTime()) / SECOND : undefined;
    },
    /** The owner's notifications. */
    async toldOf({ id }: { id: number }) {
      return (await notifications.list(world.db, id, 10)).map(({ kind }) => kind);
    },
  };
}

export const NOW = new Date("2026-03-31T12:00:00.250Z");
export const RULES = { now: NOW, limit: undefined, dailyLimit: undefined };

interface Person {
  id: number;
  username: string;
}

/** A request to an endpoint. */
interface Sent {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** The events of these, in their order. */
export const types = (all: Sent[]) => all.map(({ type }) => type);

/** Ada, who has an endpoint that wants everything, and the moderator bob; others in every test of a file. */
export function hearingForEach() {
  let world: World;
  let hooks: Hooks;
  let telling: Telling;
  let serial = 0;
  let ada: Person;
  let bob: Person;
  let endpoint: { id: number };
  beforeAll(async () => {
    world = await startWorld({ now: NOW });
    hooks = hooksIn(world);
    telling = tellingIn(world, NOW);
  });
  beforeEach(async () => {
    serial += 1;
    ada = await world.user({ username: `ada_${serial}`, name: "Ada" });
    bob = await world.user({ username: `bob_${serial}`, name: "Bob", role: "moderator" });
    endpoint = await hooks.endpoint(ada, { target_url: "https://hooks.example/a" });
  });
  afterAll(async () => {
    await hooks.stop();
    await world.stop();
  });

  return {
    get world() {
      return world;
    },
    get hooks() {
      return hooks;
    },
    get telling() {
      return telling;
    },
    get ada() {
      return ada;
    },
    get bob() {
      return bob;
    },
    /** Ada's. */
    get endpoint() {
      return endpoint;
    },
    /** The requests to an endpoint since the last call. */
    async sent(to: { id: number } = endpoint): Promise<Sent[]> {
      await hooks.fanOut();
      const rows = await hooks.deliveries(to);
      await world.db.deleteFrom("webhook_deliveries").where("endpoint_id", "=", to.id).execute();
      return rows.map(({ payload }) => JSON.parse(payload) as Sent);
    },
    /** Changes an article of ada's. */
    put: (id: number, article: object) => telling.send(ada, "PUT", `/api/articles/${id}`, { article }),
    /** The answer of the API to a person. */
    read: async (path: string, person: { id: number }) =>
      (await world.get(path, { key: await world.key(person) })).body,
    /** Writes a comment. */
    async say(writer: { id: number }, articleId: number, markdown = "Nice weave") {
      const body = await render(world.db, world.services.renderPool, markdown);
      const wanted = { writer, target: { article_id: articleId }, body };
      return inTransaction(world.db, (tx) => comments.write(tx, wanted, RULES));
    },
  };
}

/** Helpers for notifications, in a world with a set time. */
export function tellingIn(world: World, now: Date) {
  async function send(person: { id: number }, method: string, url: string, body?: object) {
    const reply = await world.request({ method, url, key: await world.key(person), body });
    expect([url, reply.status < 300]).toEqual([url, true]);
    return reply.body as { id: number; path: string };
  }

  return {
    fanOut: () => notifications.fanOut(world.db, now),
    async shown({ id }: { id: number }) {
      return (await notifications.list(world.db, id, 100)).map(notification);
    },
    /** The pending tasks. */
    async left() {
      const { rows } = await sql`
        select from outbox where consumer = 'notifications' union all select from announcements where due_at < 'infinity'`.execute(
        world.db,
      );
      return rows.length;
    },
    /** Publishes an article. */
    publish(author: { id: number }, title: string, more: object = {}) {
      const article = { title, body_markdown: "Some words.", published: true, ...more };
      return send(author, "POST", "/api/articles", { article });
    },
    /** Sends a request of a person, which succeeds. */
    send,
  };
}

export type Telling = ReturnType<typeof tellingIn>;
