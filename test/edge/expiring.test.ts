import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { IS_LONG } from "../setup.ts";
import { until } from "../waiting.ts";
import { HAS_NGINX, shown, siteBehind } from "./edges.ts";

const LIST = "/api/articles";
const AWAY = '{"error":"service unavailable","status":503}';

describe.runIf(HAS_NGINX)("nginx in front of a server", () => {
  const site = siteBehind(1);

  /** Asks until the server is asked too. */
  const expired = (address: string) =>
    until(async () => (await site.during(() => site.ask(address))).length > 0);

  test("shows what has changed, and no longer what is gone", async () => {
    const address = "/api/articles/ada/looms";
    const change = (columns: { title: string } | { state: string }) =>
      site.world.db.updateTable("articles").set(columns).where("slug", "=", "looms").execute();
    await site.ask(address);
    await change({ title: "Shuttles" });
    await expect.poll(async () => String((await site.ask(address)).body)).toContain("Shuttles");
    await change({ state: "unpublished" });
    await expect.poll(async () => (await site.ask(address)).status).toBe(404);
    await change({ state: "published" });
    await expect.poll(async () => (await site.ask(address)).status).toBe(200);
  });

  test("asks the server whether an answer is still current", async () => {
    const address = site.cold(LIST);
    const { headers } = await site.ask(address);
    const versions: unknown[] = [];
    site.world.app.server.once("request", (request) => versions.push(request.headers["if-none-match"]));
    await expired(address);
    expect(versions).toEqual([headers["etag"]]);
  });

  test("shows what was public while the server is away, and errors for the rest", async () => {
    const address = site.cold(LIST);
    const before = await site.ask(address);
    await expired(address);
    await site.leave();
    try {
      const start = performance.now();
      // For longer than a second, so that it has expired.
      while (performance.now() - start < 1_500) {
        const all = await Promise.all(Array.from({ length: 5 }, () => site.ask(address)));
        for (const one of all) expect(shown(one)).toEqual(shown(before));
        await sleep(50);
      }
      const cold = await site.ask(site.cold(LIST));
      expect([cold.status, String(cold.body)]).toEqual([503, AWAY]);
      expect(cold.headers).toMatchObject({ "cache-control": "no-store", "retry-after": "5" });
      const own = await site.ask(address, { headers: { "api-key": site.key } });
      expect([own.status, String(own.body)]).toEqual([503, AWAY]);
    } finally {
      await site.comeBack();
    }
    await expired(address);
    expect((await site.ask(site.cold(LIST))).status).toBe(200);
  });

  test.runIf(IS_LONG)("shows what was public while the server only refuses", async () => {
    const address = site.cold(LIST);
    const before = await site.ask(address);
    await expired(address);
    let failures = 0;
    site.world.app.server.removeAllListeners("request");
    site.world.app.server.on("request", (_request, response) => {
      failures += 1;
      response.writeHead(503, { "cache-control": "no-store", "content-type": "application/json" }).end("{}");
    });
    await until(async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => site.ask(address)));
      for (const one of all) expect(shown(one)).toEqual(shown(before));
      return failures > 10;
    });
    const cold = await site.ask(site.cold(LIST));
    expect([cold.status, String(cold.body)]).toEqual([503, "{}"]);
  });
});
