import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { serverWith, startWorld, type World } from "../../test/world.ts";

const MIB = 1024 * 1024;

let world: World;
let port: number;
let sockets: Socket[] = [];
beforeAll(async () => {
  world = await startWorld({
    build: serverWith((app) => {
      app.post("/api/things", { config: { access: "write" }, bodyLimit: 5 * MIB }, async () => ({
        ok: true,
      }));
    }),
  });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
});
afterAll(() => world.stop());
afterEach(async () => {
  const closed = sockets.map(async (socket) => socket.closed || once(socket.destroy(), "close"));
  sockets = [];
  await Promise.all(closed);
  // The server sees it later, and frees their bytes then.
  await vi.waitUntil(async () => (await connections()) === 0, { timeout: 30_000 });
});

function connections(): Promise<number> {
  const { server } = world.app;
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}

/** Announces a body, whose begin is sent. Resolves with the first of what the server says, or when it reads the body. */
async function announce(key: string, framing: string, begin: string | Buffer = "["): Promise<string> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  const read = once(world.app.server, "request").then(() => "read");
  socket.write(
    `POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\napi-key: ${key}\r\n${framing}\r\n\r\n`,
  );
  socket.write(begin);
  await read;
  const response = once(socket, "data").then(([data]) => String(data));
  // The server says nothing while it waits for the rest.
  return Promise.race([response, new Promise<string>((resolve) => setTimeout(resolve, 300, "read"))]);
}

const announced = (bytes: number) => `Content-Length: ${bytes}`;
const REFUSED =
  /^HTTP\/1\.1 503 [^]*\r\nretry-after: 1\r\n[^]*"The server holds as many large bodies as it can/;

/** On a busy machine the refusal may come late, and those before it too. */
async function expectRefusal(attempt: () => Promise<string>): Promise<void> {
  await expect.poll(attempt, { timeout: 30_000 }).toMatch(REFUSED);
}

/** Announces six bodies of 5 MiB, of which only the last byte is missing, or of which only the first has come. */
async function announceSix(key: string, begin: string): Promise<void> {
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => announce(key, announced(5 * MIB), begin)),
  );
  expect(responses).toEqual(Array.from({ length: 6 }, () => "read"));
}

const text = (bytes: number) => `"${"a".repeat(bytes - 1)}`;
const fill = (key: string) => announceSix(key, text(5 * MIB - 1));

async function statusOf(key: string, bytes: number): Promise<number> {
  const headers = { "content-type": "application/json" };
  const body = `${text(bytes - 1)}"`;
  return (await world.request({ method: "POST", url: "/api/things", key, headers, body })).status;
}

test("a user whose bodies fill 32 MiB is refused a further large one before it is read, others are not", async () => {
  await fill("member-key");
  await expectRefusal(() => announce("member-key", announced(5 * MIB)));
  expect(await announce("admin-key", announced(5 * MIB))).toBe("read");
});

test("bodies of which little has come leave room for those of everyone", async () => {
  await announceSix("member-key", '"');
  await announceSix("admin-key", '"');
  for (const key of ["member-key", "admin-key", "other-member-key"])
    expect([await statusOf(key, 100), await statusOf(key, 5 * MIB)]).toEqual([200, 200]);
});

test("a body of at most 64 KiB is read however many large ones there are", async () => {
  await fill("member-key");
  const chunk = text(2 * MIB);
  await announce("member-key", "Transfer-Encoding: chunked", `${(2 * MIB).toString(16)}\r\n${chunk}`);
  await expect.poll(() => statusOf("member-key", 64 * 1024 + 1), { timeout: 30_000 }).toBe(503);
  expect(await statusOf("member-key", 64 * 1024)).toBe(200);
});

test("a body for which the room ends while it is read is refused then", async () => {
  await announceSix("member-key", '"');
  expect(await announce("member-key", announced(5 * MIB), '"')).toBe("read");
  const refusal = Promise.race(sockets.map((socket) => once(socket, "data")));
  for (const socket of sockets) socket.write("a".repeat(5 * MIB - 2));
  expect(String((await refusal)[0])).toMatch(REFUSED);
});

test("bodies of all users fill 64 MiB at most, and make room when their senders are gone", async () => {
  await fill("member-key");
  await fill("admin-key");
  await expectRefusal(() => announce("other-member-key", announced(5 * MIB)));
  sockets[0]?.destroy();
  await expect.poll(() => announce("other-member-key", announced(5 * MIB)), { timeout: 30_000 }).toBe("read");
});

test("a body in chunks counts by what has come", async () => {
  await fill("member-key");
  const chunked = "Transfer-Encoding: chunked";
  const chunk = Buffer.from(`300000\r\n${text(3 * MIB)}`);
  expect(await announce("member-key", chunked, chunk.subarray(0, 1 * MIB))).toBe("read");
  await expectRefusal(() => announce("member-key", chunked, chunk));
});

test("room is made when a response has ended", async () => {
  for (let time = 0; time < 7; time++) await expect.poll(() => statusOf("member-key", 5 * MIB)).toBe(200);
});
