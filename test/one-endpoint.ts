import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Reply, startWorld, type World } from "./world.ts";

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
