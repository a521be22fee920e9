import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createChannels } from "../../test/channels.ts";
import { withClock } from "../../test/monotonic.ts";
import { createServices, serverWith, startWorld, type World } from "../../test/world.ts";
import type { Config } from "../config.ts";
import { createLedger } from "../limits/ledger.ts";
import { answer } from "./answers.ts";
import type { App } from "./app-type.ts";

let world: World | undefined;
let servers: App[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
  await world?.stop();
  servers = [];
});

const build = serverWith((app) => {
  app.get("/api/things", { config: { access: "public" } }, (request, reply) =>
    answer(request, reply, async () => ({ body: "[]" })),
  );
  app.post("/api/things", { config: { access: "write" } }, async () => ({}));
});

/** Two servers with a common parent, in one process. */
async function startWorkers(config: Partial<Config>, settings: Record<string, string> = {}) {
  const started = await startWorld({ build, settings, config });
  world = started;
  const serve = createLedger();
  const start = async () => {
    const { parent, worker } = createChannels();
    serve(worker);
    const app = await build(started.context, { ...createServices(started.db), parent });
    servers.push(app);
    await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}` };
  };
  return [await start(), await start()] as const;
}

const SMALL = { read_burst: "40", read_rate: "1", write_burst: "4", write_rate: "1" };

async function statuses(requests: Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test("workers share the limits of their computer, also for kept answers", () =>
  withClock(async () => {
    const [one, other] = await startWorkers({ rateLimits: true }, SMALL);
    const ask = (url: string) => fetch(`${url}/api/things`);
    // Kept from now on.
    for (const { url } of [one, other]) expect((await ask(url)).status).toBe(200);
    const asked = Array.from({ length: 60 }, (_, index) => ask(index % 2 === 0 ? one.url : other.url));
    expect(await statuses(asked)).toEqual({ 200: 38, 429: 22 });
  }));

test("workers share the limits of writes", () =>
  withClock(async () => {
    const [one, other] = await startWorkers({ rateLimits: true }, SMALL);
    const write = ({ url }: { url: string }) =>
      fetch(`${url}/api/things`, { method: "POST", headers: { "api-key": "member-key" } });
    expect(await statuses([one, other, one, other, one, other].map(write))).toEqual({ 200: 4, 429: 2 });
    const refused = await write(one);
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(refused.headers.get("retry-after")).toBe("1");
  }));

test("workers share the count of wrong keys", () =>
  withClock(async () => {
    const [one, other] = await startWorkers({ rateLimits: true }, { write_burst: "100" });
    const send = (url: string, key: string) =>
      fetch(`${url}/api/things`, { method: "POST", headers: { "api-key": key } });
    const guess = (index: number) => send(index % 2 === 0 ? one.url : other.url, `wrong-${index}`);
    for (let index = 0; index < 19; index++) expect((await guess(index)).status).toBe(401);
    expect((await send(other.url, "member-key")).status).toBe(200);
    expect((await guess(19)).status).toBe(401);
    expect((await send(one.url, "member-key")).status).toBe(401);
    // It was right there before.
    expect((await send(other.url, "member-key")).status).toBe(200);
  }));
