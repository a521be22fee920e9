import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Edge, HAS_NGINX, startNginx } from "./edges.ts";

describe.runIf(HAS_NGINX)("nginx that only adds HTTPS", () => {
  let origin: Server;
  let asked: { request: IncomingMessage; bytes: number }[] = [];
  let proxy: Edge;
  beforeAll(async () => {
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const parts = (await request.toArray()) as Buffer[];
      asked.push({ request, bytes: Buffer.concat(parts).length });
      response.end("answer");
    };
    origin = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
    await once(origin, "listening");
    proxy = await startNginx((origin.address() as AddressInfo).port, { file: "nginx-proxy.conf" });
  });
  afterAll(async () => {
    await proxy.stop();
    origin.close();
    origin.closeAllConnections();
  });

  test("finds no fault in its configuration", () => {
    expect(proxy.check()).toBe("");
  });

  test("passes a form with an image of 10 MiB", async () => {
    asked = [];
    const body = "x".repeat(10 * 1024 * 1024 + 4_096);
    const answer = await proxy.ask("/api/uploads", { method: "POST", body });
    expect([answer.status, asked.map(({ bytes }) => bytes)]).toEqual([200, [body.length]]);
  });

  test("names the client last among the addresses that a client may have made up", async () => {
    asked = [];
    await proxy.ask("/", { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(asked.map(({ request }) => request.headers["x-forwarded-for"])).toEqual([
      expect.stringMatching(/^(203\.0\.113\.9, )?127\.0\.0\.1$/),
    ]);
  });

  test("keeps /metrics to itself", async () => {
    asked = [];
    expect((await proxy.ask("/metrics")).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
