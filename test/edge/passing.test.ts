import { describe, expect, test } from "vitest";
import { HAS_NGINX, shown, shownBehind, siteBehind } from "./edges.ts";

const LIST = "/api/articles";

describe.runIf(HAS_NGINX)("nginx in front of a server", () => {
  const site = siteBehind(3_600);

  test.each([
    "/api/articles/me",
    "/api/articles/me.css",
    "/api/articles/me/x.css",
    "/api/articles/me;x.css",
    "/api/articles/me;/x.css",
    "/api/articles/me%2fx.css",
    "/api/articles/me%2f..%2fx.css",
    "/api/articles/me%3bx.css",
    "/api/articles/me%00.css",
    "/api/articles/me%0ax.css",
    "/api/articles/me%23x.css",
    "/api/articles/me%3fx.css",
    "/api/articles/me?x.css",
    "/api/articles/me/../../../static/x.css",
    "/static/..%2fapi/articles/me",
    "/static/%2e%2e/api/articles/me",
    "/api/articles/%6de",
    "/api/articles/me/all",
    "/api//articles/me",
    "//api/articles/me",
  ])("what a key gets at %s is nobody else's", async (path) => {
    await site.world.article(site.ada, { title: "Only for Ada", published: false });
    const address = site.cold(path);
    const own = await site.ask(address, { headers: { "api-key": site.key } });
    const requests = await site.during(async () => {
      const other = await site.ask(address);
      expect(other.body.toString()).not.toContain("Only for Ada");
      expect([400, (await site.directly(address)).status]).toContain(other.status);
    });
    expect(requests.length).toBeGreaterThan(own.status === 400 ? -1 : 0);
  });

  test("keys and sessions go past what is kept, each time", async () => {
    const address = site.cold(LIST);
    await site.ask(address);
    for (const headers of [
      { "api-key": site.key },
      { "api-key": "wrong" },
      { cookie: "theme=dark; session=abc" },
      { cookie: "__Host-session=abc" },
      { cookie: "Session=abc" },
      { authorization: "Bearer abc" },
      { "content-length": "2", "content-type": "application/json" },
    ] as Record<string, string>[]) {
      const body = "content-length" in headers ? { body: "{}" } : {};
      const requests = await site.during(() => site.ask(address, { headers, ...body }));
      expect([headers, requests]).toEqual([headers, [`GET ${address}`]]);
    }
    const twoCookies = await site.during(() =>
      site.edge.send(
        `GET ${address} HTTP/1.1\r\nHost: x\r\nCookie: a=b\r\nCookie: session=c\r\nConnection: close\r\n\r\n`,
      ),
    );
    expect(twoCookies).toEqual([`GET ${address}`]);
    const requests = await site.during(() => site.ask(address, { headers: { cookie: "theme=dark" } }));
    expect(requests).toEqual([]);
  });

  test("writes go through, and a draft of a key stays with it", async () => {
    const body = JSON.stringify({ article: { title: "A draft", body_markdown: "Words" } });
    const headers = { "api-key": site.key, "content-type": "application/json" };
    const made = await site.ask(LIST, { method: "POST", headers, body });
    expect(made.status).toBe(201);
    const { id } = JSON.parse(made.body.toString()) as { id: number };
    const own = await site.ask(`${LIST}/${id}`, { headers: { "api-key": site.key } });
    expect([own.status, own.headers["cache-control"]]).toEqual([200, "private, no-store"]);
    expect((await site.ask(`${LIST}/${id}`)).status).toBe(404);
  });

  test("paths that are written in odd ways mean what they mean to the server", async () => {
    for (const path of [
      "/./api/articles",
      "/api/../api/articles",
      "/api/%2e%2e/api/articles",
      "/api/articles/",
      "//evil.example/api/articles",
      "/api/articles%2fada%2flooms",
      "/api\\articles",
      "/api/articles;jsessionid=1",
      "/api/articles/ada/looms/..",
      "/%61pi/articles",
    ]) {
      const address = site.cold(path);
      for (let round = 0; round < 2; round++) {
        const answer = await site.ask(address);
        const direct = await site.directly(address);
        const isRefused = answer.status === 400;
        expect([path, isRefused || shown(answer)]).toEqual([path, isRefused || shownBehind(direct)]);
      }
    }
  });

  test("figures of the server are for nobody outside", async () => {
    for (const path of [
      "/metrics",
      "//metrics",
      "/metrics/",
      "/%6detrics",
      "/x/../metrics",
      "/metrics?x",
      "/metrics;x",
    ])
      expect([401, 404]).toContain((await site.ask(path)).status);
  });

  test("readers' reports and large uploads come through", async () => {
    const { body } = await site.directly("/api/articles/ada/looms");
    const { id } = JSON.parse(body.toString()) as { id: number };
    const report = await site.ask(`/views?article_id=${id}`, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect(report.status).toBe(204);
    const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": "10900000" };
    const upload = await site.ask("/api/image_uploads", {
      method: "POST",
      headers,
      body: "x".repeat(10_900_000),
    });
    expect([upload.status, String(upload.body)]).toEqual([401, expect.stringContaining("API key")]);
  });
});
