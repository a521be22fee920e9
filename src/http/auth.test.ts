import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONFIG, createServices, send, serverWith, startWorld, type World } from "../../test/world.ts";
import { connect } from "../platform/db/connect.ts";
import type { App } from "./app-type.ts";
import { caller } from "./auth.ts";

const TOKEN = "a-token-for-monitors";

function mount(app: App): void {
  app.get("/api/public", { config: { access: "public" } }, async (request) => ({
    id: request.caller?.id ?? null,
  }));
  app.get("/api/mine", { config: { access: "key" } }, async (request) => ({ id: caller(request).id }));
  app.get("/api/admin", { config: { access: "admin" } }, async (request) => ({ id: caller(request).id }));
  app.post("/api/mine", { config: { access: "write" } }, async (request) => ({ id: caller(request).id }));
  app.get("/api/open", { config: { access: "open" } }, async () => ({ id: null }));
  app.get("/api/health", { config: { access: "health" } }, async () => ({ id: null }));
}

let world: World;
let privately: World;
beforeAll(async () => {
  world = await startWorld({ build: serverWith(mount), config: { healthCheckToken: TOKEN } });
  privately = await startWorld({ build: serverWith(mount), settings: { visibility: "private" } });
});
afterAll(async () => {
  await world.stop();
  await privately.stop();
});

describe("a key", () => {
  test.each([
    ["GET", "/api/public", undefined, 200, null],
    ["GET", "/api/public", "wrong", 200, null],
    ["GET", "/api/public", "", 200, null],
    ["GET", "/api/public", "member-key", 200, 2],
    ["GET", "/api/mine", undefined, 401],
    ["GET", "/api/mine", "wrong", 401],
    ["GET", "/api/mine", "", 401],
    ["GET", "/api/mine", "member-key", 200, 2],
    ["GET", "/api/mine", "read-only-key", 200, 2],
    ["POST", "/api/mine", undefined, 401],
    ["POST", "/api/mine", "read-only-key", 401],
    ["POST", "/api/mine", "member-key", 200, 2],
    ["GET", "/api/admin", undefined, 401],
    ["GET", "/api/admin", "wrong", 401],
    ["GET", "/api/admin", "member-key", 401],
    ["GET", "/api/admin", "admin-key", 200, 1],
    ["GET", "/api/open", "wrong", 200, null],
  ])("%s %s with the key %j is %i", async (method, url, key, status, id?) => {
    const reply = await world.request({ method, url, key });
    expect(reply.status).toBe(status);
    expect(status !== 401 || reply.headers["cache-control"] === "no-store").toBe(true);
    expect(reply.body).toEqual(
      status === 401 ? { error: "unauthorized", status, detail: expect.any(String) } : { id },
    );
  });

  test("is taken from its header only", async () => {
    expect(
      (await world.get("/api/mine?api_key=member-key&api-key=member-key&access_token=member-key")).status,
    ).toBe(401);
    expect((await world.get("/api/mine", { headers: { authorization: "Bearer member-key" } })).status).toBe(
      401,
    );
    expect((await world.get("/api/mine", { headers: { cookie: "api-key=member-key" } })).status).toBe(401);
    expect((await world.get("/api/mine", { headers: { "API-Key": "member-key" } })).status).toBe(200);
  });

  test("is asked for before the body is looked at", async () => {
    const broken = { method: "POST", url: "/api/mine", body: "{", headers: { "content-type": "text/plain" } };
    expect((await world.request(broken)).status).toBe(401);
    expect((await world.request({ ...broken, key: "member-key" })).status).toBe(415);
  });
});

describe("in a private community", () => {
  test.each([
    ["/api/public", undefined, 401],
    ["/api/public", "wrong", 401],
    ["/api/public", "read-only-key", 200],
    ["/api/open", undefined, 200],
    ["/api/health", undefined, 200],
  ])("%s with the key %j is %i", async (url, key, status) => {
    expect((await privately.request({ url, key })).status).toBe(status);
  });
});

describe("a health check", () => {
  test.each([
    ["127.0.0.1", {}, 200],
    ["::1", {}, 200],
    ["::ffff:127.0.0.1", {}, 200],
    ["192.0.2.1", {}, 401],
    ["127.0.0.1", { "x-forwarded-for": "127.0.0.1" }, 401],
    ["127.0.0.1", { forwarded: "for=127.0.0.1" }, 401],
    ["192.0.2.1", { "health-check-token": TOKEN }, 200],
    ["127.0.0.1", { "health-check-token": "wrong" }, 401],
    ["127.0.0.1", { "health-check-token": "" }, 401],
  ])("from %s with %j is %i", async (remoteAddress, headers, status) => {
    const answer = await world.app.inject({ url: "/api/health", headers, remoteAddress });
    expect(answer.statusCode).toBe(status);
  });

  test("takes no token when none is set", async () => {
    const reply = await privately.get("/api/health", { headers: { "health-check-token": "undefined" } });
    expect(reply.status).toBe(401);
  });
});

test("without a database, what is open answers and what is public says to come back", async () => {
  const { db } = connect({ connection: { host: "127.0.0.1", port: 1 }, poolSize: 2 });
  const services = createServices(db);
  const context = {
    config: CONFIG,
    db: { main: db, replica: db, shared: db, slow: db, jobs: db },
    files: world.context.files,
    now: () => new Date(),
  };
  const app = await serverWith(mount)(context, services);
  expect((await send(app, { url: "/api/open" })).status).toBe(200);
  expect((await send(app, { url: "/api/health" })).status).toBe(200);
  const refused = await send(app, { url: "/api/public" });
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
  await app.close();
  await db.destroy();
});
