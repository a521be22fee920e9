import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { serverWith, startWorld, type World } from "../../test/world.ts";
import type { Config } from "../config.ts";

let world: World | undefined;
afterEach(() => world?.stop());

async function listen(config: Partial<Config>): Promise<number> {
  const build = serverWith((app) => {
    app.get("/api/things", { config: { access: "open" } }, async () => ({ ok: true }));
  });
  world = await startWorld({ build, config });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  return (world.app.server.address() as AddressInfo).port;
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

test("a client over the cap fails at once instead of waiting for an answer", async () => {
  const port = await listen({ maxConnectionsPerAddress: 1 });
  await open(port);
  await expect(fetch(`http://127.0.0.1:${port}/api/things`)).rejects.toThrow("fetch failed");
});

test.each([["127.0.0.1"], ["127.0.0.0/8"]])("a trusted proxy (%s) may have any number", async (proxy) => {
  const port = await listen({ maxConnectionsPerAddress: 1, trustProxy: [proxy] });
  expect(await askAll(await several(4, port))).toEqual([200, 200, 200, 200]);
});

test("all addresses together, trusted proxies included, have a limit too", async () => {
  const port = await listen({ maxConnections: 4, trustProxy: ["127.0.0.1"] });
  const sockets = [...(await several(3, port)), ...(await several(3, port, "127.0.0.2"))];
  expect(await askAll(sockets)).toEqual([200, 200, 200, 200, 0, 0]);
  sockets[0]?.end();
  await expect.poll(async () => ask(await open(port))).toBe(200);
});
