import { type AddressInfo, connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { serverWith, startWorld, type World } from "../../test/world.ts";
import type { App } from "./app-type.ts";
import { readForms } from "./form-body.ts";

const MIB = 1024 * 1024;

let world: World;
let port: number;
beforeAll(async () => {
  world = await startWorld({
    build: serverWith((app) => {
      const config = { access: "open" } as const;
      app.post("/api/echo", { config }, async () => ({ ok: true }));
      app.get("/api/echo", { config }, async () => ({ ok: true }));
      void app.register(async (part: App) => {
        readForms(part, MIB);
        part.post("/api/form", { config }, async () => ({ ok: true }));
      });
    }),
  });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
});
afterAll(() => world.stop());
// Nobody here is slow, except for a busy machine: the server's patience has no end meanwhile.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ["/api/echo", "application/json", 6],
  ["/api/form", "multipart/form-data; boundary=x", 11],
])("whoever sends too large a body to %s always reads why it was refused", async (path, type, size) => {
  for (let time = 0; time < 8; time++) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "content-type": type },
      body: new Uint8Array(size * MIB),
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ error: "payload too large", status: 413 });
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

test.each(["POST", "GET"])(
  "a %s that asks for the connection to be closed has that afterwards",
  async (method) => {
    const head = [`${method} /api/echo HTTP/1.1`, "Connection: close", `Content-Length: ${6 * MIB}`];
    expect(await exchange(head, [Buffer.alloc(6 * MIB, " ")])).toMatch(/^HTTP\/1\.1 413 /);
  },
);

test("the connection serves the next request", async () => {
  const next = "GET /api/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const head = ["POST /api/echo HTTP/1.1", `Content-Length: ${6 * MIB}`];
  const answers = await exchange(head, [Buffer.alloc(6 * MIB, " "), Buffer.from(next)]);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
});

test("whoever sends without an end is cut off, and costs no memory", async () => {
  const before = process.memoryUsage().rss;
  const sent = await new Promise<number>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const piece = Buffer.alloc(MIB, " ");
    let count = 0;
    const more = (error?: Error | null) => {
      if (error) return;
      count++;
      if (count < 1_000) socket.write(piece, more);
      else socket.destroy();
    };
    socket.on("error", () => {});
    socket.on("close", () => resolve(count));
    socket.resume();
    socket.write(
      `POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${1_000 * MIB}\r\n\r\n`,
      more,
    );
  });
  expect(sent).toBeGreaterThan(20);
  expect(sent).toBeLessThan(100);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
});
