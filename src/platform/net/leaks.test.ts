import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ask, type Elsewhere, netFor, startElsewhere } from "../../../test/net.ts";
import { VERSION } from "../config.ts";

const VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

let proxy: Elsewhere;
let site: Elsewhere;
beforeAll(async () => {
  proxy = await startElsewhere((_, response) => void response.end("by proxy"));
  site = await startElsewhere((request, response) => {
    response.writeHead(200, { "set-cookie": "session=1" });
    response.end(JSON.stringify({ method: request.method, headers: request.headers }));
  });
});
afterAll(async () => {
  await proxy.stop();
  await site.stop();
});
beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, proxy.url.replace("//", "//user:word@"));
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  vi.stubEnv("HEALTH_CHECK_TOKEN", "canary-of-the-environment");
});
afterEach(() => void vi.unstubAllEnvs());

describe("what another site learns of this server", () => {
  test.each(["", "*", "127.0.0.1", "::ffff:127.0.0.1"])(
    "is its name and version, whatever its environment holds (NO_PROXY=%s)",
    async (names) => {
      vi.stubEnv("NO_PROXY", names);
      const net = netFor();
      const { body } = await ask(net, site.url);
      expect(JSON.parse(String(body))).toEqual({
        method: "GET",
        headers: {
          host: new URL(site.url).host,
          connection: "close",
          accept: "*/*",
          "accept-encoding": "gzip, deflate, br",
          "user-agent": `Inkstone/${VERSION} (+https://ink.example)`,
        },
      });
      expect(proxy.asked).toEqual([]);
    },
  );

  test("is no cookie that it gave before", async () => {
    const net = netFor();
    await ask(net, site.url);
    const { body } = await ask(net, site.url);
    expect(String(body)).not.toContain("session");
  });

  test("is what the request says beside, but never another name for the program", async () => {
    const headers = { Accept: "content/text/xml", "If-None-Match": '"1"', "User-Agent": "curl" };
    const { body } = await ask(netFor(), site.url, { method: "POST", body: "{}", headers });
    expect(JSON.parse(String(body))).toMatchObject({
      method: "POST",
      headers: {
        accept: "content/text/xml",
        "if-none-match": '"1"',
        "content-length": "2",
        "user-agent": expect.stringContaining("Inkstone/"),
      },
    });
  });
});
