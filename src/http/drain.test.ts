import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { serverWith, worldForAll } from "../../test/world.ts";
import type { App } from "./app-type.ts";
import { readForms } from "./form-body.ts";

const MIB = 1024 * 1024;

let port: number;
const world = worldForAll({
  build: serverWith((app) => {
    const config = { access: "open" } as const;
    app.post("/api/echo", { config }, async () => ({ ok: true }));
    app.get("/api/echo", { config }, async () => ({ ok: true }));
    app.post("/api/things", { config: { access: "write" } }, async () => ({ ok: true }));
    void app.register(async (part: App) => {
      readForms(part, MIB);
      part.post("/api/form", { config }, async () => ({ ok: true }));
    });
  }),
});
beforeAll(async () => {
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
});
// On a busy machine a client may be slow, so the server's clock stands still.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ["/api/echo", "application/json", 6],
  ["/api/form", "multipart/form-data; boundary=x", 11],
])("the sender of too large a body to %s always reads why it was refused", async (path, type, size) => {
  for (let time = 0; time < 8; time++) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "content-type": type },
      body: new Uint8Array(size * MIB),
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: "payload too large", status: 413 });
  }
});

/** Writes the whole body before it reads anything, as simple clients do. */
function exchange(head: string[], bodies: Buffer[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.pause();
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
    socket.write(`${head.join("\r\n")}\r\nHost: x\r\nContent-Type: application/json\r\n\r\n`);
    for (const body of bodies.slice(0, -1)) socket.write(body);
    socket.write(bodies.at(-1) ?? "", () => socket.resume());
  });
}

/** Every way in which a request is answered before its body is read. */
const EARLY: [status: number, line: string, more?: string][] = [
  [200, "GET /api/echo"],
  [204, "OPTIONS /api/echo"],
  [400, "POST /api/echo", "Host: y"],
  [401, "POST /api/things"],
  [404, "POST /api/nothing"],
  [404, "POST /%ff"],
  [405, "PUT /api/echo"],
  [413, "POST /api/echo"],
  [414, "POST /too-long"],
  [415, "GET /api/echo", "Content-Type: text/plain"],
  [417, "POST /api/echo", "Expect: patience"],
];

/** Without its framing. */
const headOf = (line: string, more?: string) => [
  `${line.replace("too-long", "a".repeat(13_000))} HTTP/1.1`,
  ...(more === undefined ? [] : [more]),
];

/** In one chunk, as the server can't know its size beforehand. */
const chunked = (size: number) =>
  Buffer.concat([
    Buffer.from(`${size.toString(16)}\r\n`),
    Buffer.alloc(size, " "),
    Buffer.from("\r\n0\r\n\r\n"),
  ]);

test.each(EARLY)(
  "a %i answered to %s is read by a client that writes 6 MiB first",
  async (status, line, more) => {
    const head = [...headOf(line, more), "Connection: close", "Transfer-Encoding: chunked"];
    expect(await exchange(head, [chunked(6 * MIB)])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  },
);

test.each(EARLY.filter(([status]) => status !== 400 && status !== 414))(
  "the connection serves the next request after a %i answered to %s",
  async (status, line, more) => {
    const next = "GET /api/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const head = [...headOf(line, more), "Transfer-Encoding: chunked"];
    const answers = await exchange(head, [chunked(6 * MIB), Buffer.from(next)]);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, "HTTP/1.1 200"]);
  },
);

test("a client that sends on slowly is cut off after 5 seconds", async () => {
  const socket = connect(port, "127.0.0.1").resume();
  // A reset, as the server hasn't read everything.
  const cutOff = once(socket, "error");
  socket.write("POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{");
  await once(socket, "data");
  vi.advanceTimersByTime(4_900);
  socket.write(" ");
  vi.advanceTimersByTime(600);
  expect(await cutOff).toMatchObject([{ code: "ECONNRESET" }]);
});

test.each(EARLY)(
  "after a %i answered to %s an endless body is cut off, and costs no memory",
  async (_status, line, more) => {
    const before = process.memoryUsage().rss;
    const sent = await new Promise<number>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      const piece = Buffer.alloc(MIB, " ");
      let count = 0;
      const writeOn = (error?: Error | null) => {
        if (error) return;
        count++;
        if (count < 1_000) socket.write(piece, writeOn);
        else socket.destroy();
      };
      socket.on("error", () => {});
      socket.on("close", () => resolve(count));
      socket.resume();
      socket.write(
        `${[...headOf(line, more), "Host: x", "Content-Type: application/json", "Transfer-Encoding: chunked"].join("\r\n")}\r\n\r\n${(1_000 * MIB).toString(16)}\r\n`,
        writeOn,
      );
    });
    expect(sent).toBeGreaterThan(20);
    expect(sent).toBeLessThan(100);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
  },
);
