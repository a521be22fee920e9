import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test, vi } from "vitest";
import { SELF_SIGNED } from "../../../test/mail-server.ts";
import { failureOf, netFor } from "../../../test/net.ts";
import { freePort } from "../../../test/waiting.ts";

const net = netFor();
afterAll(() => net.close());

describe("a server that isn't there", () => {
  test("differs from a missing name", async () => {
    expect(await failureOf(net, `http://127.0.0.1:${await freePort()}/`)).toEqual({
      kind: "unreachable",
      message: "127.0.0.1 refuses connections.",
    });
    const nameless = netFor({ resolve: async () => [] });
    expect(await failureOf(nameless, "http://nobody.example/")).toEqual({
      kind: "unreachable",
      message: "There is no server named nobody.example.",
    });
  });

  test("can't be one with an untrusted certificate, whatever the environment says", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const asked: string[] = [];
    const secure = createServer(SELF_SIGNED, (request, response) => {
      asked.push(request.url ?? "");
      response.end("hello");
    }).listen(0, "127.0.0.1");
    await once(secure, "listening");
    const { port } = secure.address() as AddressInfo;
    expect(await failureOf(net, `https://127.0.0.1:${port}/`)).toEqual({
      kind: "unreachable",
      message: "No secure connection to 127.0.0.1 can be made.",
    });
    expect(asked).toEqual([]);
    secure.close();
    vi.unstubAllEnvs();
  });
});
