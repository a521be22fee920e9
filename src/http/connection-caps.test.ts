import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { serverWith, startWorld, type World } from "../../test/world.ts";
import type { Config } from "../platform/config.ts";
import { hexOf, systemConnections } from "./connections.ts";

const MIB = 1024 * 1024;

/** More than the buffers of the system hold. */
const LARGE_BYTES = 32 * MIB;
/** More than the system of a client takes unread, less than that of a server does. */
const MEDIUM_BYTES = MIB;

let world: World | undefined;
let waiting: (() => void)[] = [];
afterEach(() => world?.stop());

async function listen(config: Partial<Config>): Promise<number> {
  const build = serverWith((app) => {
    const route = { config: { access: "open" } } as const;
    app.get("/api/things", route, async () => ({ ok: true }));
    app.post("/api/things", { ...route, bodyLimit: 5 * MIB }, async () => ({ ok: true }));
    app.get("/api/large", route, (_request, reply) => reply.send(Buffer.alloc(LARGE_BYTES)));
    app.get("/api/medium", route, (_request, reply) => reply.send(Buffer.alloc(MEDIUM_BYTES)));
    const wait = () => new Promise<void>((resolve) => waiting.push(resolve));
    app.get("/api/slow", route, async () => {
      await wait();
      return { ok: true };
    });
    app.get("/api/slow-and-large", route, async (_request, reply) => {
      await wait();
      return reply.send(Buffer.alloc(LARGE_BYTES));
    });
  });
  world = await startWorld({ build, config });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  return (world.app.server.address() as AddressInfo).port;
}

function answerAll(): void {
  for (const answer of waiting) answer();
  waiting = [];
}

/** The status that a connection is answered with; 0 where it is closed without an answer. */
async function ask(socket: Socket): Promise<number> {
  if (socket.destroyed) return 0;
  const answer = once(socket, "data").then(
    ([text]) => Number(String(text).slice(9, 12)),
    () => 0,
  );
  const end = new Promise<number>((resolve) => void socket.once("close", () => resolve(0)));
  socket.on("error", () => {}).write("GET /api/things HTTP/1.1\r\nHost: x\r\n\r\n");
  return Promise.race([answer, end]);
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect").catch(() => undefined);
  return socket;
}

async function askAll(sockets: Socket[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const socket of sockets) statuses.push(await ask(socket));
  return statuses;
}

const several = async (count: number, port: number) => {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) sockets.push(await open(port));
  return sockets;
};

test("a connection over the cap is refused until another one is closed", async () => {
  const port = await listen({ maxConnections: 3 });
  const [first, ...others] = await several(5, port);
  expect(await askAll([first!, ...others])).toEqual([200, 200, 200, 0, 0]);
  first?.end();
  await expect.poll(async () => ask(await open(port))).toBe(200);
});

test("a worker has its share of the connections", async () => {
  const port = await listen({ maxConnections: 5, workers: 2, role: "web" });
  expect(await askAll(await several(4, port))).toEqual([200, 200, 200, 0]);
});

const memory = () => process.memoryUsage().rss / MIB;

test("beside 2,000 idle connections a reader gets an answer, and they end after 10 seconds", async () => {
  const port = await listen({});
  const before = memory();
  const idle = await several(2_000, port);
  expect(await ask(await open(port))).toBe(200);
  // Both ends of them.
  expect(memory() - before).toBeLessThan(100);
  const { server } = world!.app;
  expect(server.headersTimeout).toBe(10_000);
  // Node looks for them once a second.
  server.headersTimeout = 1;
  await Promise.all(idle.map(async (socket) => socket.closed || once(socket.resume(), "close")));
  expect(await ask(await open(port))).toBe(200);
});

test("beside 200 bodies that come slowly a small one is read, and they get a 408 in the end", async () => {
  const port = await listen({});
  const before = memory();
  const head = `POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  const slow = await several(200, port);
  for (const socket of slow) socket.write(`${head}Content-Length: ${5 * MIB}\r\n\r\n[`);
  const answer = await fetch(`http://127.0.0.1:${port}/api/things`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "[]",
  });
  expect(answer.status).toBe(200);
  // An announcement takes nothing.
  expect(memory() - before).toBeLessThan(100);
  const { server } = world!.app;
  expect(server.requestTimeout).toBeLessThan(28_500);
  [server.headersTimeout, server.requestTimeout] = [1, 1];
  const ends = await Promise.all(slow.map((socket) => once(socket, "data")));
  for (const [text] of ends) expect(String(text)).toMatch(/^HTTP\/1\.1 408 /);
});

describe("a client that doesn't read", () => {
  /** Sweeps of the server, of which one is due every 5 seconds. */
  const sweep = (times: number) => vi.advanceTimersByTime(5_000 * times);
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  /** Waits without vitest's clock, which would move on. */
  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await sleep(10);
  }

  /** A connection that has asked, and its end in the server. */
  async function ask(path: string): Promise<{ client: Socket; held: Socket }> {
    const port = await listen({});
    const accepted = once(world!.app.server, "connection") as Promise<[Socket]>;
    const client = (await open(port)).pause();
    const [held] = await accepted;
    client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return { client, held };
  }

  /** How many bytes the system has not taken yet. */
  function left(socket: Socket): number {
    const { _handle: handle } = socket as { _handle?: { writeQueueSize: number } };
    return handle?.writeQueueSize ?? 0;
  }

  /** Waits until the buffers of the system are full. */
  async function full(held: Socket): Promise<void> {
    await until(() => left(held) > 0);
    await still(held);
  }

  /** Waits until nothing moves between the systems. */
  async function still({ remotePort }: Socket): Promise<void> {
    const queues = () =>
      systemConnections().flatMap(([, , to, , queue]) =>
        to?.endsWith(`:${hexOf(remotePort)}`) ? [queue] : [],
      );
    for (let before = ""; String(queues()) !== before; await sleep(50)) before = String(queues());
  }

  test("is disconnected after 30 to 35 seconds, whatever it sends meanwhile", async () => {
    const { client, held } = await ask("/api/large");
    await full(held);
    for (let seconds = 5; seconds <= 30; seconds += 5) {
      sweep(1);
      client.write("\r\n");
      expect(held.destroyed).toBe(false);
    }
    sweep(1);
    expect(held.destroyed).toBe(true);
    await once(client.resume(), "close");
  });

  test("is disconnected as soon when the system holds all that it hasn't read", async () => {
    const { held } = await ask("/api/medium");
    await until(() => held.bytesWritten > MEDIUM_BYTES && left(held) === 0);
    await still(held);
    sweep(6);
    expect(held.destroyed).toBe(false);
    sweep(1);
    expect(held.destroyed).toBe(true);
  });

  test("stays if it reads a little every half a minute", async () => {
    const { client, held } = await ask("/api/large");
    await full(held);
    for (let time = 0; time < 3; time++) {
      sweep(6);
      expect(held.destroyed).toBe(false);
      const before = left(held);
      client.resume();
      await until(() => left(held) < before);
      client.pause();
      await full(held);
    }
  });

  test("is disconnected as soon when its answer comes late", async () => {
    const { held } = await ask("/api/slow-and-large");
    await until(() => waiting.length > 0);
    sweep(20);
    answerAll();
    await full(held);
    sweep(6);
    expect(held.destroyed).toBe(false);
    sweep(1);
    expect(held.destroyed).toBe(true);
  });

  test("stays while the server works on its answer", async () => {
    const { client } = await ask("/api/slow");
    await until(() => waiting.length > 0);
    sweep(20);
    answerAll();
    client.resume();
    const [response] = await Promise.race([once(client, "data"), once(client, "close")]);
    expect(String(response)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
