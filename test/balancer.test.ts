import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Balancer, BALANCER_FILE, faultsOfBalancer, HAS_BALANCER, startBalancer } from "./between.ts";
import { IS_LONG } from "./setup.ts";
import { until } from "./waiting.ts";

/** In the place of a server, so that it can fail as none should. */
interface Place {
  server: Server;
  isReady: boolean;
  /** Breaks every connection before an answer. */
  breaks: boolean;
  asked: IncomingMessage[];
}

async function openPlace(): Promise<Place> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/readyz") {
      response.writeHead(place.isReady ? 200 : 503).end();
      return;
    }
    asked.push(request);
    if (place.breaks) request.socket.destroy();
    else response.end("answer");
  }).listen(0, "127.0.0.1");
  const place: Place = { server, isReady: true, breaks: false, asked };
  await once(server, "listening");
  return place;
}

async function stopListening({ server }: Place): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

describe.runIf(HAS_BALANCER)("docs/run/haproxy.cfg", () => {
  let places: [Place, Place];
  let balancer: Balancer;
  beforeEach(async () => {
    places = [await openPlace(), await openPlace()];
    const [one, two] = places.map(({ server }) => (server.address() as AddressInfo).port) as [number, number];
    balancer = await startBalancer([one, two]);
  });
  afterEach(async () => {
    await balancer.stop();
    for (const { server } of places) {
      server.close();
      server.closeAllConnections();
    }
  });

  const ask = (path: string, options: RequestInit = {}) => fetch(`${balancer.url}${path}`, options);

  test("is valid", () => {
    expect(faultsOfBalancer(BALANCER_FILE)).toBe("");
  });

  test.runIf(IS_LONG)("sends requests to both servers, and to one while the other is not ready", async () => {
    const [one, two] = places;
    await until(async () => (await ask("/")).ok && one.asked.length > 0 && two.asked.length > 0);
    one.isReady = false;
    const reached = async () => {
      const before = one.asked.length;
      for (let count = 0; count < 10; count += 1) expect((await ask("/")).status).toBe(200);
      return one.asked.length > before;
    };
    await until(async () => !(await reached()));
    one.isReady = true;
    await until(reached);
  });

  test.runIf(IS_LONG)("tries servers that are not ready while there is no other", async () => {
    const [one, two] = places;
    one.isReady = false;
    two.isReady = false;
    const endsAt = performance.now() + 4_000;
    while (performance.now() < endsAt) expect((await ask("/")).status).toBe(200);
  });

  test("sends a read to the other server when its connection breaks, and a write to none", async () => {
    const [one, two] = places;
    one.breaks = true;
    for (let count = 0; count < 4; count += 1) expect((await ask("/")).status).toBe(200);
    expect(one.asked.length).toBeGreaterThan(0);
    two.breaks = true;
    const before = one.asked.length + two.asked.length;
    // On a connection that was used before, HAProxy breaks off too.
    const answer = await ask("/", { method: "POST", body: "text" }).catch(() => undefined);
    expect([undefined, 502]).toContain(answer?.status);
    expect(one.asked.length + two.asked.length).toBe(before + 1);
  });

  test.runIf(IS_LONG)(
    "sends requests of all kinds to the other server when one has stopped listening",
    async () => {
      const [one, two] = places;
      await stopListening(one);
      for (let count = 0; count < 4; count += 1) {
        expect((await ask("/")).status).toBe(200);
        expect((await ask("/", { method: "POST", body: "text" })).status).toBe(200);
      }
      expect(two.asked).toHaveLength(8);
    },
  );

  test.runIf(IS_LONG)("answers as the API does while no server listens", async () => {
    await Promise.all(places.map(stopListening));
    const answer = await ask("/api/articles");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/json",
      "retry-after": "5",
    });
    expect(await answer.json()).toEqual({ error: "service unavailable", status: answer.status });
    expect(answer.status).toBe(503);
  });

  test("tells the client's address alone, and keeps /metrics to itself", async () => {
    await ask("/", { headers: { "x-forwarded-for": "203.0.113.9" } });
    const [request] = places.flatMap(({ asked }) => asked);
    expect(request?.headers["x-forwarded-for"]).toBe("127.0.0.1");
    expect((await ask("/metrics")).status).toBe(404);
  });
});
