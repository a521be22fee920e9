import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { inTransaction } from "../src/db/transaction.ts";
import * as notifications from "../src/notifications/notifications.ts";
import { insert as enqueue } from "../src/webhooks/delivery-queries.ts";
import { type Hooks, hooksIn } from "./hooks.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { startWorld, type World } from "./world.ts";
import { payloadOf } from "../src/webhooks/queue.ts";

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
