import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { scrape } from "../../../test/health.ts";
import { serverWith, startWorld, type World } from "../../../test/world.ts";

describe("/metrics", () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.stop());

  test("is Prometheus' text, and nothing that anybody keeps", async () => {
    const { headers, text } = await world.get("/metrics", { headers: { accept: "application/json" } });
    expect(headers).toMatchObject({
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
    });
    expect(headers).not.toHaveProperty("access-control-allow-origin");
    expect(text).toMatch(/^# TYPE inkstone_http_requests_total counter$/m);
    expect(text).toMatch(/^inkstone_build_info\{version="\d+\.\d+\.\d+[^"]*"\} 1$/m);
    expect(text.endsWith("\n")).toBe(true);
  });

  test("counts and times requests by operation and status, and names no path", async () => {
    const key = await world.key(await world.user());
    for (const url of [
      "/api/articles",
      "/api/articles?page=2",
      "/api/articles?page=no",
      "/api/articles/404404",
    ])
      await world.get(url);
    await world.request({
      method: "PATCH",
      url: "/api/articles/404404",
      key,
      body: { article: { title: "x" } },
    });
    for (const url of ["/nowhere", "/api/nowhere/7", "/api/articles/", "/%zz", "/"]) await world.get(url);
    const figures = await scrape(world);
    const counted = [...figures].filter(([name]) => name.startsWith("inkstone_http_requests_total"));
    expect(Object.fromEntries(counted)).toEqual({
      'inkstone_http_requests_total{operation="listArticles",status="200"}': 2,
      'inkstone_http_requests_total{operation="listArticles",status="422"}': 1,
      'inkstone_http_requests_total{operation="getArticle",status="404"}': 1,
      'inkstone_http_requests_total{operation="updateArticle",status="404"}': 1,
      'inkstone_http_requests_total{operation="other",status="404"}': 4,
      'inkstone_http_requests_total{operation="other",status="200"}': 1,
    });
    const timed = 'inkstone_http_request_duration_seconds_bucket{le="+Inf",operation="listArticles"}';
    expect(figures.get(timed)).toBe(3);
    expect(
      figures.get('inkstone_http_request_duration_seconds_sum{operation="listArticles"}'),
    ).toBeGreaterThan(0);
    expect([...figures.keys()].join()).not.toMatch(/nowhere|404404/);
  });

  test("shows the process itself", async () => {
    world.services.metrics.watchProcess();
    const figures = await scrape(world);
    expect(figures.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(figures.get("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(figures.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
  });

  test("shows who holds the connections of a pool, and who waits for one", async () => {
    const { pool, services } = world;
    services.metrics.watchPool("web", pool);
    const { max } = pool.options;
    const held = await Promise.all(Array.from({ length: max }, () => pool.connect()));
    const waiting = pool.connect();
    const busy = await scrape(world);
    expect(busy.get('inkstone_database_connections{pool="web",state="in_use"}')).toBe(max);
    expect(busy.get('inkstone_database_connections{pool="web",state="idle"}')).toBe(0);
    expect(busy.get('inkstone_database_connections_max{pool="web"}')).toBe(max);
    // The scrape itself waits too, in vain.
    expect(busy.get('inkstone_database_waiting{pool="web"}')).toBeGreaterThanOrEqual(1);
    for (const client of held) client.release();
    (await waiting).release();
    const inUse = async () => {
      const idle = await scrape(world);
      return [
        idle.get('inkstone_database_connections{pool="web",state="in_use"}'),
        idle.get('inkstone_database_waiting{pool="web"}'),
      ];
    };
    await expect.poll(inUse).toEqual([0, 0]);
  });

  test("tells of the process also when the database is away, and of nothing that isn't known", async () => {
    expect((await scrape(world)).get('inkstone_queue_due{queue="jobs"}')).toBe(0);
    world.setNow(new Date(Date.now() + 60_000));
    await world.db.destroy();
    const figures = await scrape(world);
    expect(figures.get("inkstone_database_up")).toBe(0);
    expect(figures.get('inkstone_http_requests_total{operation="getMetrics",status="200"}')).toBe(1);
    expect([...figures.keys()].filter((name) => name.startsWith("inkstone_queue"))).toEqual([]);
  });
});

test("an unexpected error is counted", async () => {
  const build = serverWith((app) => {
    const schema = { operationId: "break", hide: true };
    app.get("/broken", { config: { access: "open" }, schema }, () => {
      throw new Error("broken");
    });
  });
  const world = await startWorld({ build });
  expect(await world.services.metrics.text(undefined)).toMatch(/^inkstone_unexpected_errors_total 0$/m);
  await world.get("/broken");
  const text = await world.services.metrics.text(undefined);
  expect(text).toMatch(/^inkstone_unexpected_errors_total 1$/m);
  expect(text).toMatch(/^inkstone_http_requests_total\{operation="break",status="500"\} 1$/m);
  await world.stop();
});

describe("who may read /metrics", () => {
  const TOKEN = "a-long-enough-metrics-token";
  const HERE = "127.0.0.1";
  const ELSEWHERE = "203.0.113.9";
  const worlds: Record<string, World> = {};
  beforeAll(async () => {
    worlds["open"] = await startWorld();
    worlds["guarded"] = await startWorld({ config: { metricsToken: TOKEN } });
  });
  afterAll(async () => {
    for (const world of Object.values(worlds)) await world.stop();
  });

  test.each([
    ["open", HERE, {}, 200],
    ["open", "::1", {}, 200],
    ["open", ELSEWHERE, {}, 401],
    ["open", HERE, { "x-forwarded-for": ELSEWHERE }, 401],
    ["open", HERE, { via: "1.1 proxy" }, 401],
    ["open", HERE, { "x-real-ip": ELSEWHERE }, 401],
    ["open", HERE, { forwarded: `for=${ELSEWHERE}` }, 401],
    ["open", HERE, { authorization: `Bearer ${TOKEN}` }, 401],
    ["guarded", ELSEWHERE, { authorization: `Bearer ${TOKEN}` }, 200],
    ["guarded", HERE, { authorization: `bearer ${TOKEN}`, "x-forwarded-for": ELSEWHERE }, 200],
    ["guarded", HERE, {}, 401],
    ["guarded", HERE, { authorization: `Bearer ${TOKEN}r` }, 401],
    ["guarded", HERE, { authorization: `Basic ${TOKEN}` }, 401],
    ["guarded", HERE, { "health-check-token": TOKEN }, 401],
    ["guarded", HERE, { "api-key": TOKEN }, 401],
  ])("of an %s server from %s with %j is answered by %i", async (name, remoteAddress, headers, status) => {
    const { app } = worlds[name] as World;
    const answer = await app.inject({ url: "/metrics", remoteAddress, headers });
    expect(answer.statusCode).toBe(status);
    if (status === 401)
      expect(answer.json()).toEqual({ error: "unauthorized", status: 401, detail: expect.any(String) });
  });
});
