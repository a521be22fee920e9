import { describe, expect, test } from "vitest";
import { HAS_NGINX, shown, shownBehind, siteBehind } from "./edges.ts";

const LIST = "/api/articles";

describe.runIf(HAS_NGINX)("nginx in front of a server", () => {
  const site = siteBehind(3_600);

  test("finds no fault in its configuration", () => {
    expect(site.edge.check()).toBe("");
  });

  test("keeps public answers, which say the same as those of the server", async () => {
    for (const [path, headers] of [
      [LIST, {}],
      ["/api/articles/ada/looms", { accept: "application/json" }],
      ["/api/articles/ada/looms", { accept: "application/vnd.forem.api-v1+json" }],
      ["/ada/looms", { accept: "text/html,application/xhtml+xml,*/*;q=0.8", "accept-encoding": "gzip" }],
      ["/ADA/looms", {}],
      ["/feed", {}],
    ] as [string, Record<string, string>][]) {
      const address = site.cold(path);
      const before = await site.directly(address, headers);
      const first = await site.ask(address, { headers });
      expect([address, shown(first)]).toEqual([address, shownBehind(before)]);
      const requests = await site.during(async () => {
        expect(shown(await site.ask(address, { headers }))).toEqual(shown(first));
        const known = { ...headers, "if-none-match": String(first.headers["etag"]) };
        if (first.status === 200) expect((await site.ask(address, { headers: known })).status).toBe(304);
      });
      expect(requests).toEqual([]);
      expect(first.headers["ratelimit"]).toBeUndefined();
    }
  });

  test("sends one request to the server for many at once", async () => {
    const address = site.cold("/api/articles/search?q=looms");
    const requests = await site.during(async () => {
      const all = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          site.ask(address, { headers: { accept: `x/${n}`, "user-agent": `Browser ${n}` } }),
        ),
      );
      expect(new Set(all.map((one) => JSON.stringify(shown(one)))).size).toBe(1);
    });
    expect(requests).toEqual([`GET ${address}`]);
  });

  test("errors are not kept", async () => {
    const address = "/api/articles/ada/later";
    expect((await site.ask(address)).status).toBe(404);
    await site.world.article(site.ada, { slug: "later" });
    expect((await site.ask(address)).status).toBe(200);
  });

  test("each answer bears the id of its own request", async () => {
    const address = site.cold(LIST);
    const ids = [];
    for (let round = 0; round < 3; round++)
      ids.push(String((await site.ask(address)).headers["x-request-id"]));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,64}$/);
    const own = await site.ask(address, { headers: { "x-request-id": "my-own-request" } });
    expect(own.headers["x-request-id"]).toBe("my-own-request");
  });

  test("each encoding is kept by itself", async () => {
    const address = site.cold("/api/articles/ada/looms");
    const bodies = [];
    for (const encoding of ["gzip", "", "gzip, br", "gzip;q=0"]) {
      const { headers, body } = await site.ask(address, { headers: { "accept-encoding": encoding } });
      bodies.push([encoding, headers["content-encoding"], body[0] === "{".charCodeAt(0)]);
    }
    expect(bodies).toEqual([
      ["gzip", "gzip", false],
      ["", undefined, true],
      ["gzip, br", "br", false],
      ["gzip;q=0", undefined, true],
    ]);
  });
});
