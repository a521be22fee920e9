import { Webhook } from "standardwebhooks";
import { vi } from "vitest";
import { createNet } from "../src/net/net.ts";
import { deliverDue, type Delivering } from "../src/webhooks/deliver.ts";
import { list as listDeliveries } from "../src/webhooks/delivery-queries.ts";
import { EVENT_NAMES, type EventName } from "../src/webhooks/schema.ts";
import { fanOut } from "../src/webhooks/queue.ts";
import { makeSecret } from "../src/webhooks/signing.ts";
import type { Received } from "./receiver.ts";
import { BASE_URL, type World } from "./world.ts";

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
