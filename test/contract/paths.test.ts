import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { World } from "../world.ts";
import { describe as describeApi, type Operation } from "./operations.ts";
import { startSeededWorld, urlOf } from "./seeded-world.ts";

let world: World;
let operations: Operation[];
beforeAll(async () => {
  ({ world } = await startSeededWorld());
  operations = describeApi(world.app).operations;
});
afterAll(() => world.stop());

describe("every public read", () => {
  test("has a version, says 304 to who knows it, is the same to HEAD, and may be read by pages of other sites", async () => {
    const reads = operations.filter(
      ({ path, method }) => method === "GET" && path.startsWith("/api/") && !path.includes("health_checks"),
    );
    for (const operation of reads) {
      const url = urlOf(operation);
      const { status, headers } = await world.get(url);
      if (status === 401) continue;
      expect([url, status]).toEqual([url, 200]);
      expect(headers).toMatchObject({
        "access-control-allow-origin": "*",
        "cache-control": "public, no-cache",
      });
      const known = await world.get(url, {
        headers: { "if-none-match": `"other", ${String(headers["etag"])}` },
      });
      expect([url, known.status, known.text]).toEqual([url, 304, ""]);
      expect(known.headers).toMatchObject({ etag: headers["etag"], vary: headers["vary"] });
      const head = await world.request({ method: "HEAD", url });
      expect([head.status, head.text, head.headers["etag"]]).toEqual([200, "", headers["etag"]]);
      expect(head.headers["content-length"]).toBe(headers["content-length"]);
    }
  });
});

describe("every path", () => {
  test("answers other methods with 405 and an Allow that is true", async () => {
    for (const operation of operations) {
      const url = urlOf(operation);
      const { headers } = await world.request({ method: "OPTIONS", url });
      const allowed = String(headers["allow"]).split(", ");
      expect(allowed).toContain(operation.method);
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "QUERY"]) {
        const { status } = await world.request({ method, url });
        expect([method, url, status === 405]).toEqual([method, url, !allowed.includes(method)]);
      }
    }
  });

  test("spelt otherwise is decided the same way, or is unknown", async () => {
    for (const operation of operations) {
      const url = urlOf(operation).split("?")[0] ?? "";
      const { status } = await world.request({ method: operation.method, url });
      const last = url.slice(url.lastIndexOf("/") + 1);
      const encoded = Array.from(last)
        .map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
        .join("");
      const same = await world.request({ method: operation.method, url: url.replace(last, encoded) });
      expect([url, same.status]).toEqual([url, status]);
      const spellings = [
        `${url}/`,
        url.toUpperCase(),
        `${url};a`,
        `${url}.json`,
        `${url}%00`,
        `${url}/.`,
        `${url}%2F`,
      ];
      for (const spelling of spellings) {
        const reply = await world.request({ method: operation.method, url: spelling });
        // It may also be another path, which has other methods.
        expect([spelling, [status, 401, 404, 405].includes(reply.status)]).toEqual([spelling, true]);
      }
    }
  });
});
