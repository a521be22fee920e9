import { describe, expect, test } from "vitest";
import { serverWith, startWorld, worldForAll } from "../../test/world.ts";
import { AppError, unavailable } from "../platform/errors.ts";

const SECRET = "select secret from /home/operator/inkstone";

const world = worldForAll({
  build: serverWith((app) => {
    const config = { access: "public" } as const;
    app.get("/api/things", { config }, async () => ({ ok: true }));
    app.get("/api/bug", { config }, async () => {
      throw new Error(SECRET);
    });
    app.get("/api/down", { config }, async () => {
      throw unavailable(new Error(SECRET));
    });
    app.get("/api/lost", { config }, async () => {
      throw Object.assign(new Error(SECRET), { code: "57P01" });
    });
    app.get("/api/unstorable", { config }, async () => {
      throw Object.assign(new Error(SECRET), { code: "22021", detail: SECRET });
    });
    app.get("/api/odd", { config }, async () => {
      // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- a library may do just that
      throw null;
    });
    app.get("/api/often", { config }, async () => {
      throw new AppError("rate_limited", "Slowly", { retryAfterSeconds: 30 });
    });
    app.get("/api/:id", { config }, async () => ({ ok: true }));
  }),
});

describe("every answer", () => {
  test.each([
    ["a read", "/api/things"],
    ["an unknown path of the interface", "/api/nothing/here"],
    ["an unknown path", "/nothing"],
    ["a bug", "/api/bug"],
    ["a path that can't be decoded", "/%FF"],
    ["a path without end", `/${"a".repeat(13_000)}`],
  ])("to %s names its request and tells browsers to be careful", async (_name, url) => {
    const { headers } = await world.get(url);
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("strict-origin-when-cross-origin");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["permissions-policy"]).toContain("camera=(), ");
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  });

  test.each([
    ["my-request-0001", true],
    ["a".repeat(64), true],
    ["short", false],
    ["a".repeat(65), false],
    ["has space in it", false],
    ["line\tfeed-line", false],
    ["<script>alert</script>", false],
  ])("keeps the request id %j of the client: %s", async (sent, isKept) => {
    const { headers } = await world.get("/api/things", { headers: { "x-request-id": sent } });
    expect(headers["x-request-id"] === sent).toBe(isKept);
  });
});

describe("a refusal", () => {
  test.each([
    ["a bug", "/api/bug", 500, "internal server error"],
    ["something thrown that is no error", "/api/odd", 500, "internal server error"],
    ["what can't be reached", "/api/down", 503, "service unavailable"],
    ["a database that goes away", "/api/lost", 503, "service unavailable"],
    ["what the database can't store", "/api/unstorable", 422, "Something in the request can't be stored."],
    ["too much", "/api/often", 429, "Slowly"],
    ["an unknown path of the interface", "/api/nothing/here", 404, "not found"],
    ["an unknown path", "/nothing", 404, "not found"],
    ["a parameter that can't be decoded", "/api/%FF", 404, "not found"],
    ["a path that can't be decoded", "/%zz", 404, "not found"],
    ["an endless parameter", `/api/${"a".repeat(600)}`, 404, "not found"],
    ["a parameter with NUL in it", "/api/a%00b", 404, "not found"],
    ["an endless query", `/api/things?${"a".repeat(12_278)}`, 414, "uri too long"],
    ["an endless path", `/api/${"a".repeat(13_000)}`, 414, "uri too long"],
  ])("of %s is the standard body and nothing else", async (_name, url, status, error) => {
    const reply = await world.get(url);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({ error, status });
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(JSON.stringify(reply)).not.toContain("operator");
  });

  test("says when to come back", async () => {
    expect((await world.get("/api/often")).headers["retry-after"]).toBe("30");
    expect((await world.get("/api/down")).headers["retry-after"]).toBe("5");
    expect((await world.get("/api/lost")).headers["retry-after"]).toBe("5");
  });

  test("is noted as a bug when PostgreSQL refused a value that should never have reached it", async () => {
    world.bugs.length = 0;
    await world.get("/api/unstorable");
    await world.get("/api/nothing/here");
    expect(world.bugs).toHaveLength(1);
  });
});

test("a route that doesn't say who may use it keeps the server from starting", async () => {
  const build = serverWith((app) => {
    app.get("/api/forgotten", async () => "");
  });
  await expect(startWorld({ build })).rejects.toThrow("GET /api/forgotten");
});
