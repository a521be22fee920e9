import { createHash } from "node:crypto";
import { Agent } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exchange, type Exchanged } from "../net.ts";
import { until } from "../waiting.ts";
import type { World } from "../world.ts";
import { describe as describeApi } from "./operations.ts";
import { startSeededWorld, urlOf } from "./seeded-world.ts";

let world: World;
let port: number;
/** How many requests have come as far as Fastify. */
let passed = 0;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  ({ world } = await startSeededWorld({
    rateLimits: true,
    settings: { read_burst: "100000", read_rate: "100000" },
    onRequest: () => void passed++,
  }));
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
});
afterAll(async () => {
  agent.destroy();
  await world.stop();
});

type Headers = Record<string, string>;

const ask = (path: string, headers: Headers) => exchange({ port, agent, path, headers });

/** The answer as Fastify gives it: only requests that say nothing of a body are answered before it. */
const slowly = (path: string, headers: Headers) => ask(path, { ...headers, "content-length": "0" });

/** The same request again and again, until this is the answer. */
const untilAnswered = (send: () => Promise<Exchanged>, isIt: (answer: Exchanged) => boolean) =>
  until(async () => {
    const answer = await send();
    return isIt(answer) && answer;
  }, 2);

/** The answer of the first hook. */
function kept(path: string, headers: Headers): Promise<Exchanged> {
  let before: number;
  const send = () => {
    before = passed;
    return ask(path, headers);
  };
  return untilAnswered(send, () => passed === before);
}

/** Asks until the body has been packed. */
function pack(path: string, headers: Headers): Promise<Exchanged> {
  return untilAnswered(
    () => slowly(path, headers),
    ({ status, headers, body }) =>
      status === 304 || body.length < 1_024 || headers["content-encoding"] !== undefined,
  );
}

/** Without what differs from request to request. */
function comparable({ status, headers, body }: Exchanged) {
  const fixed = Object.entries(headers).map(([name, value]) => {
    const isOwn = ["date", "x-request-id"].includes(name);
    const isCount = /^(x-)?ratelimit(-remaining|-reset)?$/.test(name);
    return [name, isOwn || isCount ? "any" : value] as const;
  });
  return { status, headers: Object.fromEntries(fixed), body: body.toString("latin1") };
}

const FOREM = "application/vnd.forem.api-v1+json";

const VARIANTS: Headers[] = [
  {},
  { accept: "application/json" },
  { accept: FOREM },
  { accept: "text/html", origin: "https://other.example", "x-request-id": "given-by-the-client" },
  { "accept-encoding": "gzip" },
  { "accept-encoding": "gzip;q=0.5, br" },
  { "if-none-match": '"other"' },
  { "if-none-match": "*" },
  { "accept-encoding": "br", "if-none-match": "*" },
  { connection: "close" },
];

const BESIDE_THE_API = [
  "/feed",
  "/feed/lena.atom",
  "/feed/tag/wool.json",
  "/robots.txt",
  "/opensearch.xml",
  "/search/suggestions?q=to",
];

const PAGES = [
  "/",
  "/?top=week",
  "/tags",
  "/t/wool",
  "/videos",
  "/podcasts",
  "/archive",
  "/about",
  "/lena",
  "/lena?tab=comments",
  "/tinkerlab",
  "/loomcast",
  "/loomcast/ep-6",
  "/lena/growing-tomatoes-1a",
  "/lena/growing-tomatoes-1a/comments",
  "/comments/m35m",

  "/lena/series/Garden",
  "/listings",
  "/listings/misc",
  "/search?q=tomatos",
  "/search?q=lena&kind=people",
  // Moved.
  "/Lena",
  "/Lena/Growing-Tomatoes-1a",
];

async function compare(path: string) {
  for (const headers of VARIANTS) {
    const slow = await (headers["accept-encoding"] === undefined ? slowly : pack)(path, headers);
    const fast = await kept(path, headers);
    expect({ path, sent: headers, ...comparable(fast) }).toEqual({
      path,
      sent: headers,
      ...comparable(slow),
    });
  }
}

test("every public read is answered from the cache as it is answered by Fastify, header by header", async () => {
  const reads = describeApi(world.app).operations.filter(({ method }) => method === "GET");
  const paths = [...reads.map((operation) => urlOf(operation)), ...BESIDE_THE_API];
  let compared = 0;
  for (const path of paths) {
    const plain = await slowly(path, {});
    if (plain.headers["cache-control"] !== "public, no-cache") continue;
    compared += 1;
    await compare(path);
  }
  expect(compared).toBeGreaterThan(20);
});

test.each(PAGES)("so is the page %s, with a policy of its own", async (path) => {
  const { status, headers, body } = await slowly(path, { accept: "text/html" });
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "public, no-cache",
    etag: expect.stringMatching(/^W\//) as string,
    vary: "Accept-Encoding, Cookie, api-key",
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "strict-transport-security": "max-age=31536000",
  });
  if (status === 301) expect(headers["location"]).toBe(path.toLowerCase());
  else expectPolicy(body.toString(), String(headers["content-security-policy"]));
  await compare(path);
});

/** Each script and style in the page is allowed by its digest, and nothing else that is in it. */
function expectPolicy(html: string, policy: string): void {
  const inline = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map(
      ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
    );
  const [script, style] = [inline("script"), inline("style")];
  expect([script.length, style.length]).toEqual([1, 1]);
  const directives = Object.fromEntries(
    policy.split("; ").map((directive) => directive.split(/ (.*)/s).slice(0, 2) as [string, string]),
  );
  expect(directives).toMatchObject({
    "default-src": "'none'",
    "script-src": `'self' ${script[0]}`,
    "style-src": `'self' ${style[0]}`,
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  });
  expect(policy).not.toContain("unsafe");
  expect(html).not.toMatch(/<[^>]* (?:style|on\w+)=/);
}
