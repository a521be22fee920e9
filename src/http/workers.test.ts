import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { createChannels } from "../../test/channels.ts";
import { withClock } from "../../test/monotonic.ts";
import { CONFIG, createServices, serverWith, startWorld, type World } from "../../test/world.ts";
import type { Config } from "../config.ts";
import { capComputerConnections } from "../limits/computer-connections.ts";
import { createLedger } from "../limits/ledger.ts";
import { answer } from "./answers.ts";
import type { App } from "./app-type.ts";

let world: World | undefined;
let servers: App[] = [];
let waiting: (() => void)[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
  await world?.stop();
  servers = [];
});

const build = serverWith((app) => {
  app.get("/api/things", { config: { access: "public" } }, (request, reply) =>
    answer(request, reply, async () => ({ body: "[]" })),
  );
  app.get("/api/slow", { config: { access: "open" } }, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return {};
  });
  app.post("/api/things", { config: { access: "write" } }, async () => ({}));
});

/** Two servers with a common parent, in one process. */
async function startWorkers(config: Partial<Config>, settings: Record<string, string> = {}) {
  const all = { ...CONFIG, ...config };
  const started = await startWorld({ build, settings, config });
  world = started;
  const [tokens, connections] = [createLedger(), capComputerConnections(all)];
  const start = async () => {
    const { parent, worker, close } = createChannels();
    tokens(worker);
    connections(worker);
    const app = await build(started.context, { ...createServices(started.db), parent });
    servers.push(app);
    await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const end = async () => {
      app.server.closeAllConnections();
      close();
    };
    return { port, url: `http://127.0.0.1:${port}`, end };
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
    const first = await statuses(asked);
    // What one of them held in advance is free again.
    await sleep(100);
    const second = await statuses(Array.from({ length: 10 }, () => ask(other.url)));
    expect((first[200] ?? 0) + (second[200] ?? 0)).toBe(38);
    expect((first[429] ?? 0) + (second[429] ?? 0)).toBe(32);
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

/** The status that a connection is answered with; 0 where it is closed without an answer. */
async function ask(socket: Socket): Promise<number> {
  if (socket.destroyed) return 0;
  const answered = once(socket, "data").then(
    ([text]) => Number(String(text).slice(9, 12)),
    () => 0,
  );
  const end = new Promise<number>((resolve) => void socket.once("close", () => resolve(0)));
  socket.write("GET /api/things HTTP/1.1\r\nHost: x\r\n\r\n");
  return Promise.race([answered, end]);
}

async function open({ port }: { port: number }, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  await once(socket, "connect").catch(() => undefined);
  return socket;
}

test("connections of a client count over all workers", async () => {
  const [one, other] = await startWorkers({ maxConnectionsPerAddress: 3 });
  const sockets = [await open(one), await open(other), await open(one)];
  for (const socket of sockets) expect(await ask(socket)).toBe(200);
  expect(await ask(await open(one))).toBe(0);
  expect(await ask(await open(other))).toBe(0);
  expect(await ask(await open(other, "127.0.0.2"))).toBe(200);
  sockets[0]?.end();
  await expect.poll(async () => ask(await open(other))).toBe(200);
});

test("a request on a connection over the cap is not read", async () => {
  const [one, other] = await startWorkers({ maxConnectionsPerAddress: 1 });
  let requests = 0;
  servers[1]?.server.on("request", () => requests++);
  expect(await ask(await open(one))).toBe(200);
  for (let turn = 0; turn < 5; turn++) expect(await ask(await open(other))).toBe(0);
  expect(requests).toBe(0);
});

test("when all connections are taken, the longest idle one of all workers gives way", async () => {
  const [one, other] = await startWorkers({ maxConnections: 4, trustProxy: ["127.0.0.1"] });
  const sockets = [await open(one), await open(other), await open(one), await open(other)];
  for (const socket of sockets) expect(await ask(socket)).toBe(200);
  expect(await ask(sockets[0]!)).toBe(200);
  const newcomers = [await open(one), await open(one)];
  const all: number[] = [];
  for (const socket of [...newcomers, ...sockets]) all.push(await ask(socket));
  expect(all).toEqual([200, 200, 200, 0, 0, 200]);
});

test("when none of all workers' connections is idle, a new one is closed", async () => {
  const [one, other] = await startWorkers({ maxConnections: 2 });
  const sockets = [await open(one), await open(other)];
  for (const [index, socket] of sockets.entries()) {
    socket.write("GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => waiting.length).toBe(index + 1);
  }
  expect(await ask(await open(one))).toBe(0);
  for (const respond of waiting.splice(0)) respond();
  for (const socket of sockets) expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
});

test("the connections of a worker that is gone do not count", async () => {
  const [one, other] = await startWorkers({ maxConnectionsPerAddress: 2 });
  for (let turn = 0; turn < 2; turn++) expect(await ask(await open(one))).toBe(200);
  expect(await ask(await open(other))).toBe(0);
  await one.end();
  await expect.poll(async () => ask(await open(other))).toBe(200);
});
