import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { clockForEach } from "../../test/waiting.ts";
import { serverWith, startWorld, type World, type WorldOptions } from "../../test/world.ts";
import { set } from "../platform/settings/settings.ts";
import { answer } from "./answers.ts";
import type { App } from "./app-type.ts";

function mount(app: App): void {
  app.get("/api/things", { config: { access: "public" } }, (request, reply) =>
    answer(request, reply, async () => ({ body: "[]" })),
  );
  app.post("/api/things", { config: { access: "write" } }, async () => ({}));
  app.get("/api/open", { config: { access: "open" } }, async () => ({}));
  app.get("/api/health", { config: { access: "health" } }, async () => ({}));
  app.get("/page", { config: { access: "public" } }, async () => ({}));
}

const SMALL = { read_burst: "3", read_rate: "1", write_burst: "1", write_rate: "1" };

// Or a slow test would be given back what it has used.
clockForEach();

let world: World;
afterEach(() => world.stop());

async function start(options: WorldOptions = {}): Promise<void> {
  world = await startWorld({ build: serverWith(mount), rateLimits: true, settings: SMALL, ...options });
}

interface Visit {
  url?: string;
  method?: "GET" | "POST";
  key?: string;
  from?: string;
  headers?: Record<string, string>;
}

async function visit({
  url = "/api/things",
  method = "GET",
  key,
  from = "192.0.2.1",
  headers = {},
}: Visit = {}) {
  const all = key === undefined ? headers : { ...headers, "api-key": key };
  return world.app.inject({ url, method, headers: all, remoteAddress: from });
}

async function statuses(visits: Visit[]): Promise<number[]> {
  const found: number[] = [];
  for (const one of visits) found.push((await visit(one)).statusCode);
  return found;
}

test("every answer says what is left, and the one after the last when to come back", async () => {
  await start();
  const { headers } = await visit();
  expect(headers).toMatchObject({
    ratelimit: '"reads";r=2;t=1',
    "ratelimit-policy": '"reads";q=3;w=3',
    "x-ratelimit-limit": "3",
    "x-ratelimit-remaining": "2",
    "x-ratelimit-reset": "1",
  });
  await statuses([{}, {}]);
  const refused = await visit();
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toEqual({ error: "Rate limit reached, try again in 1 second", status: 429 });
  expect(refused.headers).toMatchObject({
    "retry-after": "1",
    ratelimit: '"reads";r=0;t=3',
    "cache-control": "no-store",
  });
});

test("keys and addresses have each their own, and reads and writes too", async () => {
  await start();
  expect(await statuses([{}, {}, {}, {}])).toEqual([200, 200, 200, 429]);
  expect(await statuses([{ from: "192.0.2.2" }, { key: "member-key" }, { key: "wrong" }])).toEqual([
    200, 200, 429,
  ]);
  const write = { method: "POST", key: "member-key" } as const;
  expect(await statuses([write, write, { ...write, key: "other-member-key" }])).toEqual([200, 429, 200]);
});

test("an administrator may do anything", async () => {
  await start();
  const visits = Array.from({ length: 6 }, () => ({ key: "admin-key" }));
  expect(await statuses(visits)).toEqual([200, 200, 200, 200, 200, 200]);
  expect((await visit({ key: "admin-key" })).headers["ratelimit"]).toBeUndefined();
});

test("one IPv6 address stands for all of its network", async () => {
  await start();
  const visits = [1, 2, 3, 4].map((number) => ({ from: `2001:db8::${number}` }));
  expect(await statuses([...visits, { from: "2001:db8:0:1::1" }])).toEqual([200, 200, 200, 429, 200]);
});

test("unknown paths, wrong methods and refusals count like everything else", async () => {
  await start();
  await visit({ key: "member-key" });
  expect(
    await statuses([{ url: "/api/unknown" }, { url: "/api/things/" }, { url: "/api/open" }, {}]),
  ).toEqual([404, 404, 200, 429]);
  expect(await statuses([{ method: "POST" }, { method: "POST" }])).toEqual([401, 429]);
});

test("health checks count like every read, also those that are refused", async () => {
  await start();
  // Health checks don't wait for the settings, so another request must load them.
  await visit({ from: "192.0.2.9" });
  const check = { url: "/api/health", from: "127.0.0.1" };
  expect((await visit(check)).headers["ratelimit"]).toBe('"reads";r=2;t=1');
  expect(await statuses([check, check, check])).toEqual([200, 200, 429]);
  const stranger = { ...check, from: "192.0.2.7" };
  expect(await statuses([stranger, stranger, stranger, stranger])).toEqual([401, 401, 401, 429]);
});

test("pages don't count", async () => {
  await start();
  expect(await statuses(Array.from({ length: 5 }, () => ({ url: "/page" })))).toEqual([
    200, 200, 200, 200, 200,
  ]);
});

test("a caller who finds that nothing has changed pays nothing", async () => {
  await start();
  const etag = String((await visit()).headers["etag"]);
  const known = { key: "member-key", headers: { "if-none-match": etag } };
  expect(await statuses([known, known, known, known, known])).toEqual([304, 304, 304, 304, 304]);
  expect((await visit(known)).headers["ratelimit"]).toBe('"reads";r=3;t=0');
  const anonymous = { headers: known.headers };
  expect(await statuses([anonymous, anonymous, anonymous])).toEqual([304, 304, 429]);
});

test("an address that is only said to be another one doesn't help", async () => {
  await start();
  const visits = [1, 2, 3, 4].map((number) => ({ headers: { "x-forwarded-for": `198.51.100.${number}` } }));
  expect(await statuses(visits)).toEqual([200, 200, 200, 429]);
});

test("a proxy that is trusted says who asks; what the client put before that is not believed", async () => {
  await start({ config: { trustProxy: ["192.0.2.0/24"] } });
  const through = (forwarded: string) => ({ headers: { "x-forwarded-for": forwarded } });
  const visits = [1, 2, 3, 4].map((number) => through(`203.0.113.${number}, 198.51.100.1`));
  expect(await statuses([...visits, through("198.51.100.2")])).toEqual([200, 200, 200, 429, 200]);
});

test("a change of the setting is felt at once", async () => {
  await start();
  await statuses([{}, {}, {}]);
  await set(world.db, "read_burst", "1000");
  await set(world.db, "read_rate", "1000");
  expect((await visit()).headers["x-ratelimit-limit"]).toBe("1000");
});

test("RATE_LIMITS=off turns them off, headers and all", async () => {
  await start({ rateLimits: false });
  expect(await statuses([{}, {}, {}, {}, {}])).toEqual([200, 200, 200, 200, 200]);
  expect(Object.keys((await visit()).headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
});

test("a request line that names a whole address counts like one that doesn't", async () => {
  await start();
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = world.app.server.address() as AddressInfo;
  const answers = await new Promise<string>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("close", () => resolve(text));
    const head = "GET http://elsewhere.example/api/things HTTP/1.1\r\nHost: x\r\n";
    socket.write(`${`${head}\r\n`.repeat(3)}${head}Connection: close\r\n\r\n`);
  });
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array(3).fill("HTTP/1.1 200"), "HTTP/1.1 429"]);
});
