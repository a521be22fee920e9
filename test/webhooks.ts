import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { createNet } from "../src/platform/net/net.ts";
import { deliverDue, type Delivering } from "../src/community/webhooks/deliver.ts";
import { list as listDeliveries } from "../src/community/webhooks/delivery-queries.ts";
import { fanOut } from "../src/community/webhooks/queue.ts";
import { EVENT_NAMES, type EventName } from "../src/community/webhooks/schema.ts";
import { makeSecret } from "../src/community/webhooks/signing.ts";
import { BASE_URL, type Reply, startWorld, type World } from "./world.ts";

interface Wish {
  target_url: string;
  /** All of them when left out. */
  events?: EventName[];
}

/** Short words for webhooks in a world. */
export function hooksIn(world: World) {
  const { db } = world;
  const net = createNet({ baseUrl: BASE_URL, allowPrivateNetwork: true, outboundPorts: [] });
  const { now } = world.context;
  const delivering = (more: Partial<Delivering> = {}): Delivering => ({
    db,
    net,
    metrics: world.services.metrics,
    now,
    random: () => 0.5,
    signal: new AbortController().signal,
    onFailure: (error) => {
      throw error;
    },
    ...more,
  });

  return {
    async endpoint(owner: { id: number }, { target_url, events = [...EVENT_NAMES] }: Wish) {
      const endpoint = { user_id: owner.id, source: "Test", target_url, events, secret: makeSecret() };
      return db
        .insertInto("webhook_endpoints")
        .values(endpoint)
        .returning(["id", "secret"])
        .executeTakeFirstOrThrow();
    },
    fanOut: () => fanOut(db, { baseUrl: BASE_URL, now }),
    delivering,
    /** Sends what is due, and waits for all of it. */
    deliver: (more: Partial<Delivering> = {}) => deliverDue(delivering(more)),
    /** The deliveries of an endpoint, the oldest first. */
    deliveries: ({ id }: { id: number }) =>
      db.selectFrom("webhook_deliveries").selectAll().where("endpoint_id", "=", id).orderBy("id").execute(),
    /** The same as their owner sees them. */
    shown: async ({ id }: { id: number }) =>
      (await listDeliveries(db, { endpointId: id, limit: 100, characters: 16_384 })).toReversed(),
    find: ({ id }: { id: number }) =>
      db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    stop: () => net.close(),
  };
}

export type Hooks = ReturnType<typeof hooksIn>;

/** Reads a delivery as a receiver does that uses the public package and whose clock says `at`. */
export function verify(
  { body, headers }: Pick<Received, "body" | "headers">,
  secret: string,
  at: Date,
): unknown {
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

export const NOW = new Date("2026-03-31T12:00:00.250Z");
export const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

export let world: World;
export let lena: { id: number; username: string };
export let key: string;
export let endpoint: { id: number };

/** Gives the file that asks for it a world in which Lena has one webhook endpoint, a new one for each test. */
export function startWithEndpoint(): void {
  beforeAll(async () => {
    world = await startWorld({ now: NOW });
    lena = await world.user({ username: "lena" });
    key = await world.key(lena);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.setNow(NOW);
    await world.db.deleteFrom("webhook_endpoints").execute();
    endpoint = await world.webhook(lena, { target_url: "https://hooks.example/a" });
  });
}

export const post = (what: string): Promise<Reply> =>
  world.request({ method: "POST", url: `/api/webhooks/${endpoint.id}/${what}`, key });

export const deliveries = async (query = "") =>
  (await world.get(`/api/webhooks/${endpoint.id}/deliveries${query}`, { key })).body as {
    id: number;
    state: string;
  }[];

export const stored = (id: number) =>
  world.db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("id", "=", String(id))
    .executeTakeFirstOrThrow();

/** A delivery as its owner sees it. */
export const shown = async (id: number) => (await deliveries()).find((delivery) => delivery.id === id);

/** A request as it has come in. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (response: ServerResponse, request: Received) => void;

const ok: Answer = (response) => void response.writeHead(204).end();

/** Records requests, and answers 200 by default. */
export async function startReceiver() {
  const received: Received[] = [];
  let answer = ok;
  let arrived = () => {};
  const server = createServer((request, response) => void take(request, response).catch(() => {}));

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = { path: request.url ?? "", headers: request.headers, body: await text(request) };
    received.push(one);
    arrived();
    answer(response, one);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerWith(next: Answer) {
      answer = next;
    },
    /** Fulfilled after this many requests. */
    async hasReceived(count: number): Promise<void> {
      while (received.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    },
    /** How many connections there are. */
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
