import { once } from "node:events";
import { Agent } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { exchange, type Exchanged } from "../../test/net.ts";
import { serverWith, startWorld, type World, type WorldOptions } from "../../test/world.ts";
import * as settings from "../platform/settings/settings.ts";
import { answer } from "./answers.ts";
import { closeServer } from "./connections.ts";
import { clockForEach, until } from "../../test/waiting.ts";

const clock = clockForEach();

let world: World;
let agent: Agent;
let port: number;
/** How many requests have passed the first hook. */
let passed: number;
afterEach(async () => {
  agent.destroy();
  await world.stop();
});

async function start(options: WorldOptions = {}): Promise<void> {
  passed = 0;
  agent = new Agent({ keepAlive: true });
  world = await startWorld({ onRequest: () => void passed++, ...options });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
}

const ask = (path: string, headers: Record<string, string> = {}) => exchange({ port, agent, path, headers });

/** As many answers as that which the first hook sent, in between those that refresh the cache. */
async function kept(path: string, headers: Record<string, string> = {}, count = 1): Promise<Exchanged[]> {
  const answers: Exchanged[] = [];
  for (let round = 0; answers.length < count; round++) {
    if (round > 10 * count) throw new Error(`${path} isn't answered from the cache`);
    const before = passed;
    const one = await ask(path, headers);
    if (passed === before) answers.push(one);
  }
  return answers;
}

const ARTICLES = "/api/articles";

test("a write is seen at once by those who are answered from the cache", async () => {
  await start();
  await kept(ARTICLES);
  await world.article(await world.user(), { title: "Brand new" });
  expect((await ask(ARTICLES)).body.toString()).toContain("Brand new");
});

test("a write of another process is seen within a second", async () => {
  await start();
  await kept(ARTICLES);
  await world.pool.query("insert into tags (name) values ('wool')");
  await kept("/api/tags");
  await world.pool.query("insert into tags (name) values ('flax')");
  clock.pass(1_000);
  expect((await ask("/api/tags")).body.toString()).toContain("flax");
});

test("strangers are answered from the cache only in a public community", async () => {
  await start();
  await kept(ARTICLES);
  await settings.set(world.db, "visibility", "private");
  expect((await ask(ARTICLES)).status).toBe(401);
  const own = await world.key(await world.user());
  expect((await ask(ARTICLES, { "api-key": own })).status).toBe(200);
  expect((await ask(ARTICLES)).status).toBe(401);
  await kept("/api/instance");
});

test("requests with a key, with a body, or with a bad head go on to the other hooks", async () => {
  await start();
  await kept(ARTICLES);
  for (const headers of [{ "api-key": "wrong" }, { "api-key": "" }, { "content-length": "0" }]) {
    const before = passed;
    await ask(ARTICLES, headers);
    expect([headers, passed]).toEqual([headers, before + 1]);
  }
  await kept(ARTICLES);
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`x-${index}`, "1"]));
  expect((await ask(ARTICLES, many)).status).toBe(431);
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${ARTICLES} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`);
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 400 /);
  socket.destroy();
});

const LIMITS = { read_burst: "4", read_rate: "1" };

test("reads from the cache count against the rate limit of their address", async () => {
  await start({ rateLimits: true, settings: LIMITS });
  const answers = [];
  for (let round = 0; round < 5; round++) answers.push(await ask(ARTICLES));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  expect(answers.map(({ headers }) => headers["x-ratelimit-remaining"])).toEqual(["3", "2", "1", "0", "0"]);
  // The one that made the answer, perhaps one more after a second, and the one that was refused.
  expect(passed).toBeLessThanOrEqual(3);
});

test("a trusted proxy says whose reads they are, and nothing else does", async () => {
  const from = async (address: string) =>
    (await ask(ARTICLES, { "x-forwarded-for": `203.0.113.${Math.random()}, ${address}` })).headers[
      "x-ratelimit-remaining"
    ];
  await start({ rateLimits: true, settings: LIMITS, config: { trustProxy: ["127.0.0.1/32"] } });
  expect([await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.2")]).toEqual([
    "3",
    "2",
    "3",
  ]);
  await world.stop();
  await start({ rateLimits: true, settings: LIMITS });
  expect([await from("192.0.2.1"), await from("192.0.2.2"), await from("192.0.2.3")]).toEqual([
    "3",
    "2",
    "1",
  ]);
});

test("reads of an article from the cache are views, also of those who have it already", async () => {
  await start();
  const { id } = await world.article(await world.user());
  const path = `${ARTICLES}/${id}`;
  const browser = (version: number) => ({
    "user-agent": `Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/${version}`,
  });
  await ask(path, browser(126));
  expect(world.services.views.waiting).toBe(1);
  await kept(path, browser(127));
  expect(world.services.views.waiting).toBe(2);
  const [known] = await kept(path, { ...browser(128), "if-none-match": "*" });
  expect([known?.status, world.services.views.waiting]).toEqual([304, 3]);
});

test("reads from the cache are counted, under the name of their operation", async () => {
  await start();
  await kept(ARTICLES, {}, 3);
  const text = await world.services.metrics.text(undefined);
  const counted = /inkstone_http_requests_total\{operation="listArticles",status="200"\} (\d+)/.exec(text);
  expect(Number(counted?.[1])).toBe(3 + passed);
});

test("reads from the cache have a line in the log like all others", async () => {
  const lines: Record<string, unknown>[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((line) => {
    lines.push(JSON.parse(String(line)) as Record<string, unknown>);
    return true;
  });
  await start({ config: { logLevel: "info" } });
  await ask(ARTICLES, { "x-request-id": "the-first-one" });
  await kept(`${ARTICLES}?q=1`, { "x-request-id": "the-other-one" });
  write.mockRestore();
  const of = (reqId: string) => lines.filter((line) => line["reqId"] === reqId).at(-1);
  const fixed = { time: "any", ms: "any", reqId: "any" };
  expect({ ...of("the-other-one"), ...fixed }).toEqual({ ...of("the-first-one"), ...fixed });
});

test("nothing is answered from the cache while the server closes, so that every answer is its connection's last", async () => {
  await start();
  const [before] = await kept(ARTICLES);
  expect(before?.headers.connection).toBe("keep-alive");
  const closed = closeServer(world.app);
  // A connection that was closed before would be refused now.
  await until(async () => (await ask(ARTICLES)).headers.connection === "close");
  await closed;
});

const LONG = JSON.stringify(Array.from({ length: 500 }, (_, index) => `the text ${index % 7}`));

test("a body is packed for those who ask again, and sent plain until then", async () => {
  let version = 1;
  await start({
    build: serverWith((app) => {
      const config = { access: "public" } as const;
      app.get("/api/long", { config }, (request, reply) =>
        answer(request, reply, async () => ({ body: `${version}${LONG}` })),
      );
      app.get("/api/short", { config }, (request, reply) =>
        answer(request, reply, async () => ({ body: "[]" })),
      );
    }),
  });
  const gzip = { "accept-encoding": "gzip" };
  const first = await ask("/api/long", gzip);
  expect(first.headers).toMatchObject({ vary: "Accept, Accept-Encoding, api-key" });
  expect(first.headers["content-encoding"]).toBeUndefined();
  const packed = await until(async () => isPacked(await ask("/api/long", gzip)));
  expect(packed.headers).toMatchObject({ "content-encoding": "gzip", etag: first.headers["etag"] });
  expect(gunzipSync(packed.body).toString()).toBe(first.body.toString());
  const brotli = await until(async () => isPacked(await ask("/api/long", { "accept-encoding": "gzip, br" })));
  expect(brotliDecompressSync(brotli.body).toString()).toBe(first.body.toString());
  // One version in all its forms: a client with any of them gets 304.
  const known = { ...gzip, "if-none-match": String(first.headers["etag"]) };
  expect((await ask("/api/long", known)).status).toBe(304);
  // It is made again, and is the same as before, so it needn't be packed again.
  await world.user();
  expect((await ask("/api/long", gzip)).headers["content-encoding"]).toBe("gzip");
  version = 2;
  await world.user();
  expect((await ask("/api/long", gzip)).headers["content-encoding"]).toBeUndefined();
  for (let round = 0; round < 5; round++) {
    const short = await ask("/api/short", gzip);
    expect(short.headers["content-encoding"]).toBeUndefined();
  }
});

test("a page is packed for the first who asks", async () => {
  await start({
    build: serverWith((app) => {
      app.get("/long/:encoding", { config: { access: "public", isPage: true } }, (request, reply) =>
        answer(request, reply, async () => ({ body: LONG, type: "text/html" })),
      );
    }),
  });
  for (const encoding of ["br", "gzip"]) {
    const first = await ask(`/long/${encoding}`, { "accept-encoding": encoding });
    expect(first.headers["content-encoding"]).toBe(encoding);
    const text = (encoding === "br" ? brotliDecompressSync : gunzipSync)(first.body).toString();
    expect(text).toBe(LONG);
  }
  expect((await ask("/long/br")).headers["content-encoding"]).toBeUndefined();
});

const isPacked = (one: Exchanged) => one.headers["content-encoding"] !== undefined && one;
