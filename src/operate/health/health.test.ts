import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startWorld, type World } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";

describe("what monitors and clients ask first", () => {
  const TOKEN = "a-long-enough-health-token";
  let world: World;
  beforeAll(async () => {
    world = await startWorld({
      config: { healthCheckToken: TOKEN },
      settings: { community_name: "Loom Folk" },
    });
  });
  afterAll(() => world.stop());

  test("an instance without people is pending, and then public", async () => {
    expect((await world.get("/api/instance")).body).toMatchObject({ visibility: "pending" });
    await world.user();
    expect((await world.get("/api/instance")).body).toEqual({
      context: null,
      cover_image_url: "https://ink.example/assets/social.png",
      description: "A community that writes.",
      display_in_directory: true,
      domain: "ink.example",
      logo_image_url: "https://ink.example/assets/default-organization-640.png",
      name: "Loom Folk",
      tagline: "",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      visibility: "public",
    });
  });

  test.each([
    ["app", "App is up!"],
    ["database", "Database connected"],
    ["cache", "Cache connected"],
  ])("the health check of the %s says so to this computer", async (part, message) => {
    expect(await world.get(`/api/health_checks/${part}`)).toMatchObject({ status: 200, body: { message } });
  });

  test.each([
    [{}, "application/vnd.service.api-v1+json; charset=utf-8"],
    [{ accept: "*/*" }, "application/vnd.service.api-v1+json; charset=utf-8"],
    [{ accept: "application/json" }, "application/json; charset=utf-8"],
  ])("a health check asked with %j is of the type %s", async (headers, type) => {
    const reply = await world.get("/api/health_checks/database", { headers });
    expect(reply.headers).toMatchObject({
      "content-type": type,
      vary: "Accept",
      "cache-control": "no-store",
    });
    expect((await world.get("/healthz", { headers })).headers["content-type"]).toBe(
      "application/json; charset=utf-8",
    );
  });

  test("orchestrators need no token", async () => {
    expect(await world.get("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await world.get("/readyz")).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  test("in a private community only these and the instance answer strangers, and a changed setting is felt", async () => {
    const key = await world.key(await world.user());
    await settings.set(world.db, "visibility", "private");
    for (const path of ["/api/articles", "/api/articles/search", "/api/tags", "/api/articles/1"]) {
      expect(await world.get(path)).toMatchObject({
        status: 401,
        body: { error: "unauthorized", status: 401 },
      });
    }
    const read = await world.get("/api/articles", { key });
    expect(read.status).toBe(200);
    expect(read.headers["cache-control"]).toBe("private, no-store");
    expect((await world.get("/api/instance")).body).toMatchObject({
      visibility: "private",
      display_in_directory: false,
    });
    expect((await world.get("/healthz")).status).toBe(200);
  });
});

test("the server is ready while the search index is being read", async () => {
  const world = await startWorld();
  onTestFinished(() => world.stop());
  await world.superuser.transaction().execute(async (tx) => {
    await sql`lock table search_rows`.execute(tx);
    for (const path of ["/readyz", "/api/articles"]) expect((await world.get(path)).status).toBe(200);
  });
});

test("without the database the process is alive but not ready, and says when to come back", async () => {
  const world = await startWorld({ rateLimits: true });
  expect((await world.get("/readyz")).status).toBe(200);
  await world.db.destroy();
  expect((await world.get("/healthz")).status).toBe(200);
  expect((await world.get("/readyz")).status).toBe(503);
  expect(await world.get("/api/health_checks/database")).toMatchObject({
    status: 500,
    body: { message: "Database NOT connected!" },
    headers: { "content-type": "application/json; charset=utf-8", ratelimit: '"reads";r=299;t=1' },
  });
  expect((await world.get("/api/health_checks/app")).status).toBe(200);
  const list = await world.get("/api/articles");
  expect(list).toMatchObject({ status: 503, body: { error: "service unavailable", status: 503 } });
  expect(Number(list.headers["retry-after"])).toBeGreaterThan(0);
  await world.stop();
});
