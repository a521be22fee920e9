import { expect, test } from "vitest";
import { serverWith, worldForAll } from "../../test/world.ts";
import type { App } from "./app-type.ts";

function mount(app: App): void {
  const handler = async () => ({});
  app.get("/api/things", { config: { access: "public" } }, handler);
  app.post("/api/things", { config: { access: "write" } }, handler);
  app.get("/api/things/:id", { config: { access: "public" } }, handler);
  app.put("/api/things/:id", { config: { access: "write" } }, handler);
  app.get("/api/things/me", { config: { access: "key" } }, handler);
  app.delete("/api/things/:id/mark", { config: { access: "write" } }, handler);
  app.get("/files/*", { config: { access: "open" } }, handler);
}

const world = worldForAll({ build: serverWith(mount) });

const ODD = ["TRACE", "PROPFIND", "SEARCH", "PURGE", "QUERY", "M-SEARCH"];

test.each([
  ["/api/things", "GET, HEAD, POST, OPTIONS", ["PUT", "PATCH", "DELETE", ...ODD]],
  ["/api/things?page=1", "GET, HEAD, POST, OPTIONS", ["PUT"]],
  ["/api/things/7", "GET, HEAD, PUT, PATCH, OPTIONS", ["POST", "DELETE", ...ODD]],
  ["/api/%74hings/7", "GET, HEAD, PUT, PATCH, OPTIONS", ["POST"]],
  ["/api/things/7/mark", "DELETE, OPTIONS", ["GET", "HEAD", "POST", "PUT", ...ODD]],
  ["/files/a/b", "GET, HEAD, OPTIONS", ["POST"]],
])("%s allows %s and answers anything else with a 405 that says so", async (url, allow, methods) => {
  for (const method of methods) {
    const reply = await world.request({ method, url, body: "{", headers: { "content-type": "text/odd" } });
    expect([method, reply.status, reply.headers["allow"]]).toEqual([method, 405, allow]);
    if (method !== "HEAD") expect(reply.body).toEqual({ error: "method not allowed", status: 405 });
  }
  const options = await world.request({ method: "OPTIONS", url });
  expect([options.status, options.headers["allow"], options.text]).toEqual([204, allow, ""]);
});

const ASKS = { origin: "https://elsewhere.example", "access-control-request-method": "GET" };

test("a page of another site may read what is public, and never with a key", async () => {
  const preflight = await world.request({ method: "OPTIONS", url: "/api/things", headers: ASKS });
  expect(preflight).toMatchObject({
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "Accept, If-None-Match",
      "access-control-max-age": "7200",
    },
  });
  expect(JSON.stringify(preflight.headers)).not.toMatch(/api-key|credentials/i);
  const { headers } = await world.get("/api/things", { headers: { origin: "null" } });
  expect(headers).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-expose-headers":
      "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Warning, X-Request-Id, X-Search-Match",
  });
  expect(headers["access-control-allow-credentials"]).toBeUndefined();
});

test.each([
  ["POST", "/api/things"],
  ["PUT", "/api/things/7"],
  ["DELETE", "/api/things/7/mark"],
  ["GET", "/api/unknown"],
])("a page of another site may not %s %s", async (method, url) => {
  const headers = { ...ASKS, "access-control-request-method": method };
  const reply = await world.request({ method: "OPTIONS", url, headers });
  expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  const sent = await world.request({ method, url, key: "member-key", headers: { origin: ASKS.origin } });
  expect(sent.headers["access-control-allow-origin"]).toBeUndefined();
});

test.each(["OPTIONS", "DELETE"])("%s of what needs a key tells other sites nothing", async (method) => {
  const reply = await world.request({ method, url: "/api/things/me", headers: ASKS });
  expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  const beside = await world.request({ method, url: "/api/things/mine", headers: ASKS });
  expect(beside.headers["access-control-allow-origin"]).toBe("*");
});

test("what needs a key is not shown to other sites", async () => {
  const reply = await world.get("/api/things/me", { key: "member-key", headers: { origin: ASKS.origin } });
  expect([reply.status, reply.headers["access-control-allow-origin"]]).toEqual([200, undefined]);
});
