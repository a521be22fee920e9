import { describe, expect, test } from "vitest";
import { type Call, HAS_NGINX, shown, shownBehind, siteBehind } from "./edges.ts";

const EVIL = "evil.example";
const LIST = "/api/articles";

/** Headers that some servers make their answers from, and caches don't know of. */
const UNKEYED: [string, Call][] = [
  "host",
  "x-forwarded-host",
  "x-host",
  "x-forwarded-server",
  "x-original-host",
  "x-http-host-override",
  "forwarded-host",
  "x-forwarded-prefix",
  "x-forwarded-for",
  "x-real-ip",
  "true-client-ip",
  "origin",
  "referer",
  "user-agent",
  "accept-language",
  "x-amz-website-redirect-location",
  "x-request-id",
].map((name) => [name, { headers: { [name]: EVIL } }]);

const ODD: [string, Call][] = [
  ["x-forwarded-scheme", { headers: { "x-forwarded-scheme": "http" } }],
  ["x-forwarded-proto", { headers: { "x-forwarded-proto": "http", "x-forwarded-ssl": "off" } }],
  ["x-forwarded-port", { headers: { "x-forwarded-port": "1" } }],
  ["forwarded", { headers: { forwarded: `host=${EVIL};proto=http;for=127.0.0.1` } }],
  ["x-original-url", { headers: { "x-original-url": "/api/tags", "x-rewrite-url": "/api/tags" } }],
  ["method override", { headers: { "x-http-method-override": "DELETE", "x-http-method": "POST" } }],
  ["method override to HEAD", { headers: { "x-method-override": "HEAD", "x-http-method-override": "HEAD" } }],
  ["a part", { headers: { range: "bytes=0-3" } }],
  ["a known version", { headers: { "if-none-match": "*" } }],
  ["a known date", { headers: { "if-modified-since": new Date().toUTCString() } }],
  ["another version", { headers: { "if-match": '"x"' } }],
  ["a cookie", { headers: { cookie: `theme=dark; lang=${EVIL}` } }],
  ["a session", { headers: { cookie: "session=abc" } }],
  ["a wrong key", { headers: { "api-key": EVIL } }],
  ["credentials", { headers: { authorization: `Bearer ${EVIL}` } }],
  ["only HTML", { headers: { accept: "text/html" } }],
  ["nothing acceptable", { headers: { accept: "*/*;q=0, x/y" } }],
  ["an endless Accept", { headers: { accept: "x/y, ".repeat(1_000) } }],
  ["names of Forem", { headers: { accept: "application/vnd.forem.api-v1+json" } }],
  ["no encoding", { headers: { "accept-encoding": "identity;q=0, *;q=0" } }],
  ["an unknown encoding", { headers: { "accept-encoding": `${EVIL}, br;q=0` } }],
  ["a small body", { headers: { "content-type": "application/json" }, body: `{"page":"${EVIL}"}` }],
  ["a form", { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "page=2&per_page=1" }],
  ["a large body", { headers: { "content-type": "application/json" }, body: "x".repeat(400_000) }],
  ["a large head", { headers: { "x-large": "x".repeat(20_000) } }],
  [
    "a head that only the server refuses",
    { headers: { a: "x".repeat(5_800), b: "x".repeat(5_800), c: "x".repeat(5_800) } },
  ],
  ["many headers", { headers: Object.fromEntries(Array.from({ length: 110 }, (_, n) => [`x-${n}`, "1"])) }],
  ["an upgrade", { headers: { connection: "Upgrade", upgrade: "websocket" } }],
  ["hop by hop", { headers: { connection: "close, Accept, Host, api-key" } }],
  ["an expectation", { headers: { expect: "something" } }],
  ["HEAD", { method: "HEAD" }],
  ["OPTIONS", { method: "OPTIONS", headers: { origin: `https://${EVIL}` } }],
  ["POST", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }],
  ["DELETE", { method: "DELETE" }],
  ["PURGE", { method: "PURGE" }],
];

const REQUESTS = [...UNKEYED, ...ODD];

describe.runIf(HAS_NGINX)("nginx in front of a server", () => {
  const site = siteBehind(3_600);

  test.each(REQUESTS)("a request with %s leaves nothing for others", async (_what, call) => {
    for (const [path, headers] of [
      [LIST, {}],
      ["/ada/looms", { accept: "text/html" }],
    ] as [string, Record<string, string>][]) {
      const address = site.cold(path);
      await site.ask(address, call).catch(() => undefined);
      const clean = await site.ask(address, { headers });
      expect(shown(clean)).toEqual(shownBehind(await site.directly(address, headers)));
      expect(JSON.stringify([clean.headers, clean.body.toString()])).not.toContain(EVIL);
    }
  });

  test("heads that no client of HTTP sends leave nothing for others", async () => {
    for (const head of [
      "Host: community.example\r\nX: a\u0007b",
      "Host: community.example\r\nX : y",
      `Host: community.example\r\nHost: ${EVIL}`,
      "Host: community.example\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
      "Host: community.example\r\nTransfer-Encoding : chunked",
      `Host: ${EVIL}\r\nX-Forwarded-Host: ${EVIL}`,
      "X: no host",
    ]) {
      const address = site.cold(LIST);
      await site.edge.send(`GET ${address} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n0\r\n\r\n`);
      await site.edge.send(`GET http://${EVIL}${address} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
      const clean = await site.ask(address);
      expect([head, shown(clean)]).toEqual([head, shownBehind(await site.directly(address))]);
    }
  });
});
