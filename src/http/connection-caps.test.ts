import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { serverWith, startWorld, type World } from "../../test/world.ts";
import type { Config } from "../config.ts";
import { hexOf, systemConnections } from "./system-connections.ts";

/** More than the buffers of the system hold. */
const LARGE_BYTES = 32 * 1024 * 1024;
/** More than the system of a client takes unread, less than that of a server does. */
const MEDIUM_BYTES = 1024 * 1024;

let world: World | undefined;
let waiting: (() => void)[] = [];
afterEach(() => world?.stop());

async function listen(config: Partial<Config>): Promise<number> {
  const build = serverWith((app) => {
    const route = { config: { access: "open" } } as const;
    app.get("/api/things", route, async () => ({ ok: true }));
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

async function open(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  await once(socket, "connect").catch(() => undefined);
  return socket;
}

async function askAll(sockets: Socket[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const socket of sockets) statuses.push(await ask(socket));
  return statuses;
}

const several = async (count: number, port: number, localAddress?: string) => {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) sockets.push(await open(port, localAddress));
  return sockets;
};

test("an address that has as many connections as it may is refused more, until it closes one", async () => {
  const port = await listen({ maxConnectionsPerAddress: 3 });
  const [first, ...others] = await several(5, port);
  expect(await askAll([first!, ...others])).toEqual([200, 200, 200, 0, 0]);
  expect(await askAll(await several(3, port, "127.0.0.2"))).toEqual([200, 200, 200]);
  first?.end();
  await expect.poll(async () => ask(await open(port))).toBe(200);
});

test("a worker has its share of the connections", async () => {
  const port = await listen({ maxConnectionsPerAddress: 5, workers: 2, role: "web" });
  const sockets = [await open(port), await open(port), await open(port), await open(port)];
  expect(await askAll(sockets)).toEqual([200, 200, 200, 0]);
});

test("a client over the cap fails at once instead of waiting for an answer", async () => {
  const port = await listen({ maxConnectionsPerAddress: 1 });
  await open(port);
  await expect(fetch(`http://127.0.0.1:${port}/api/things`)).rejects.toThrow("fetch failed");
});

test.each([["127.0.0.1"], ["127.0.0.0/8"]])("a trusted proxy (%s) may have any number", async (proxy) => {
  const port = await listen({ maxConnectionsPerAddress: 1, trustProxy: [proxy] });
  expect(await askAll(await several(4, port))).toEqual([200, 200, 200, 200]);
});

test("when all connections are taken, trusted proxies included, the longest idle one gives way", async () => {
  const port = await listen({ maxConnections: 4, trustProxy: ["127.0.0.1"] });
  const sockets = await several(4, port);
  expect(await askAll(sockets)).toEqual([200, 200, 200, 200]);
  expect(await ask(sockets[0]!)).toBe(200);
  const others = await several(2, port, "127.0.0.2");
  expect(await askAll([...others, ...sockets])).toEqual([200, 200, 200, 0, 0, 200]);
});

test("a connection that waits for its response doesn't give way: a new one is closed", async () => {
  const port = await listen({ maxConnections: 2 });
  const sockets = await several(2, port);
  for (const socket of sockets) {
    const asked = once(world!.app.server, "request");
    socket.write("GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await asked;
  }
  expect(await ask(await open(port))).toBe(0);
  answerAll();
  for (const socket of sockets) expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
});

test("when more than 80 % are open, an address may have 50", async () => {
  const port = await listen({ maxConnections: 100, maxConnectionsPerAddress: 90 });
  const sockets = await several(85, port);
  const statuses = await askAll(sockets);
  expect(statuses.filter((status) => status === 200)).toHaveLength(80);
  expect(await askAll(await several(3, port, "127.0.0.2"))).toEqual([200, 200, 200]);
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
