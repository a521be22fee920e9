import { Agent } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { exchange, type Exchanged } from "../../test/net.ts";
import { startWorld, type World, type WorldOptions } from "../../test/world.ts";
import * as settings from "../platform/settings/settings.ts";

const EDGE = "public, max-age=30, stale-if-error=86400";

let world: World;
let ada: Awaited<ReturnType<World["user"]>>;
let agent: Agent;
let port: number;
/** How many requests have passed the first hook. */
let passed: number;
afterEach(async () => {
  agent.destroy();
  await world.stop();
});

async function start(edgeSeconds: number, options: WorldOptions = {}): Promise<void> {
  agent = new Agent({ keepAlive: true });
  passed = 0;
  const onRequest = () => void passed++;
  world = await startWorld({ onRequest, rateLimits: true, config: { edgeSeconds }, ...options });
  ada = await world.user({ username: "ada" });
  await world.article({ username: "ada" }, { slug: "looms", title: "Looms", tags: ["wool"] });
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
}

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  exchange({ port, agent, path, headers, method });

/** What an answer tells caches, and of limits. */
function told({ headers }: Exchanged) {
  const limits = Object.keys(headers).filter((name) => name.includes("ratelimit"));
  return [headers["cache-control"], headers["cdn-cache-control"], limits.length];
}

const PUBLIC = [
  "/api/articles",
  "/api/articles?page=2",
  "/api/articles/search?q=looms",
  "/api/articles/ada/looms",
  "/api/tags",
  "/api/instance",
  "/api/openapi.json",
  "/",
  "/ada",
  "/ada/looms",
  "/search?q=looms",
  "/search/suggestions?q=lo",
  "/api/docs",
  "/feed",
  "/feed.json",
];

test("public answers say how long a cache in front may keep them, and nothing of the limits of their client", async () => {
  await start(30);
  for (const path of PUBLIC) {
    // The first hook sends some of them.
    for (let round = 0; round < 3; round++) {
      const one = await ask(path);
      expect([path, one.status, ...told(one)]).toEqual([path, 200, "public, no-cache", EDGE, 0]);
    }
    const head = await ask(path, {}, "HEAD");
    expect([path, head.status, ...told(head)]).toEqual([path, 200, "public, no-cache", EDGE, 0]);
    const known = await ask(path, { "if-none-match": String(head.headers["etag"]) });
    expect([path, known.status, ...told(known)]).toEqual([path, 304, "public, no-cache", EDGE, 0]);
  }
  expect(passed).toBeLessThan(5 * PUBLIC.length);
  const moved = await ask("/ADA/looms");
  expect([moved.status, ...told(moved)]).toEqual([301, "public, no-cache", EDGE, 0]);
});

test("answers with a lifetime of their own keep that, and say nothing of limits either", async () => {
  await start(30);
  expect(told(await ask("/sitemap.xml"))).toEqual(["public, max-age=3600", undefined, 0]);
  const picture = await ask("/assets/identicons/user-1-90.png");
  expect([picture.status, ...told(picture)]).toEqual([
    200,
    "public, max-age=31536000, immutable",
    undefined,
    0,
  ]);
});

test("no cache may keep errors, what a key gets, and answers to writes", async () => {
  await start(30);
  const key = await world.key(ada);
  for (const [path, headers, status, method] of [
    ["/api/articles/none", {}, 404],
    ["/no/such", { accept: "text/html" }, 404],
    ["/api/articles?per_page=many", {}, 422],
    ["/api/articles/me", {}, 401],
    ["/api/articles/me", { "api-key": key }, 200],
    ["/api/articles", { "api-key": key }, 200],
    ["/api/articles", { "api-key": "wrong" }, 200],
    ["/api/articles", { "api-key": "" }, 200],
    ["/api/articles", { "api-key": key }, 401, "POST"],
    ["/api/articles", {}, 204, "OPTIONS"],
  ] as [string, Record<string, string>, number, string?][]) {
    const { headers: got, status: code } = await ask(path, headers, method);
    if (method !== "POST") expect([path, headers, code]).toEqual([path, headers, status]);
    expect([path, headers, got["cdn-cache-control"]]).toEqual([path, headers, undefined]);
    expect(got["ratelimit"] ?? path).toMatch(/r=\d+|^\/no/);
  }
  await settings.set(world.db, "read_burst", "1");
  await settings.set(world.db, "read_rate", "1");
  const refused = await until429();
  expect([refused.headers["cdn-cache-control"], refused.headers["ratelimit"]]).toEqual([
    undefined,
    expect.stringContaining("r=0"),
  ]);
});

async function until429(): Promise<Exchanged> {
  for (;;) {
    const one = await ask("/api/tags");
    if (one.status === 429) return one;
  }
}

test("a picture that can't be drawn leaves no trace in a cache", async () => {
  await start(30);
  const { body } = await ask("/api/articles/ada/looms");
  const { social_image } = JSON.parse(body.toString()) as { social_image: string };
  const path = new URL(social_image).pathname;
  world.services.images.close();
  const failed = await ask(path);
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect(told(failed).slice(0, 2)).toEqual(["no-store", undefined]);
});

test("nothing of a private community may be kept", async () => {
  await start(30, { settings: { visibility: "private" } });
  const key = await world.key(ada);
  for (const headers of [{}, { "api-key": key }] as Record<string, string>[])
    for (const path of ["/api/articles", "/ada/looms"])
      expect((await ask(path, headers)).headers["cdn-cache-control"]).toBeUndefined();
});

test("without EDGE_SECONDS no answer has anything for a cache in front, and limits are told", async () => {
  await start(0);
  for (const path of PUBLIC) {
    for (let round = 0; round < 2; round++) {
      const [control, edge] = told(await ask(path));
      expect([path, control, edge]).toEqual([path, "public, no-cache", undefined]);
    }
  }
  expect(told(await ask("/api/articles"))[2]).toBe(5);
});

test("the first who asks for an encoding gets it, because a cache in front keeps what comes first", async () => {
  await start(30);
  const text = "Words of a body that is long enough to be packed. ".repeat(60);
  await world.article({ username: "ada" }, { slug: "long", body_markdown: text });
  for (let n = 0; n < 5; n++) await world.article({ username: "ada" }, { title: `Packed bodies, part ${n}` });
  const paths = ["/api/articles/ada/long", "/api/articles/search?q=packed+bodies", "/ada/long"];
  for (const path of paths) {
    const plain = await ask(path);
    expect([path, plain.headers["content-encoding"]]).toEqual([path, undefined]);
    const brotli = await ask(path, { "accept-encoding": "br" });
    const gzip = await ask(path, { "accept-encoding": "gzip" });
    expect([path, brotli.headers["content-encoding"]]).toEqual([path, "br"]);
    expect([path, gzip.headers["content-encoding"]]).toEqual([path, "gzip"]);
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
  }
});
