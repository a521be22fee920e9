import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ask, type Elsewhere, failureOf, netFor, startElsewhere, wire } from "../../../test/net.ts";

let here: Elsewhere;
let there: Elsewhere;
const net = netFor();
afterAll(() => net.close());

/** `/302/URL` redirects to URL; everything else is answered. */
beforeAll(async () => {
  const listen = () =>
    startElsewhere((request, response) => {
      const [, status, location] = /^\/(30\d)\/(.*)$/.exec(request.url ?? "") ?? [];
      if (status === undefined) response.end("arrived");
      else response.writeHead(Number(status), { location: decodeURIComponent(location ?? "") }).end("moved");
    });
  [here, there] = [await listen(), await listen()];
});
afterAll(async () => {
  await here.stop();
  await there.stop();
});
beforeEach(() => {
  here.asked.length = 0;
  there.asked.length = 0;
});

/** The address at which a chain of redirects with these statuses begins. */
const chain = (statuses: number[], end = `${there.url}/end`) =>
  statuses.reduceRight((target, status) => `${here.url}/${status}/${encodeURIComponent(target)}`, end);

describe("redirects", () => {
  test("are followed as many times as is asked for, and no further", async () => {
    const answer = await ask(net, chain([302, 307, 303]), { maxRedirects: 3 });
    expect(answer).toMatchObject({ status: 200, url: `${there.url}/end`, body: Buffer.from("arrived") });
    expect(await failureOf(net, chain([302, 302, 302, 302]), { maxRedirects: 3 })).toEqual({
      kind: "redirect",
      message: "There are more than 3 redirects.",
    });
    expect(there.asked.length).toBe(1);
  });

  test("are answers where none are asked for", async () => {
    const answer = await ask(net, chain([302]), { maxRedirects: 0 });
    expect(answer).toMatchObject({ status: 302, url: chain([302]), body: Buffer.from("moved") });
    expect(answer.movedTo).toBeUndefined();
    expect(there.asked).toEqual([]);
  });

  test("of a POST are answers, so that nothing is sent twice or elsewhere", async () => {
    const answer = await ask(net, chain([307]), { method: "POST", body: "secret", maxRedirects: 3 });
    expect(answer.status).toBe(307);
    expect(there.asked).toEqual([]);
  });

  test("without a target, and 304, are answers", async () => {
    const bare = await startElsewhere((request, response) =>
      response.writeHead(request.url === "/304" ? 304 : 302).end(),
    );
    expect(await ask(net, bare.url)).toMatchObject({ status: 302 });
    expect(await ask(net, `${bare.url}/304`)).toMatchObject({ status: 304 });
    await bare.stop();
  });

  test.each([
    [[301], true],
    [[308, 301], true],
    [[301, 302], false],
    [[307, 308], false],
    [[], false],
  ])("%j tell of a move: %s", async (statuses, isMove) => {
    const { movedTo } = await ask(net, chain(statuses));
    expect(movedTo).toBe(isMove ? `${there.url}/end` : undefined);
  });

  test("may be relative", async () => {
    const answer = await ask(net, `${here.url}/302/..%2Felsewhere`);
    expect(answer.url).toBe(`${here.url}/elsewhere`);
  });

  test.each([
    ["ftp://127.0.0.1/", "url", "A web address must start with http:// or https://."],
    ["http://name:word@127.0.0.1/", "url", "A web address must not hold a user name or password."],
    ["http://[", "redirect", "A redirect leads to an invalid web address."],
  ])("to %s are not followed", async (target, kind, message) => {
    expect(await failureOf(net, chain([302], target))).toEqual({ kind, message });
  });

  test("tell another site nothing that was meant for the first", async () => {
    const headers = {
      Authorization: "Bearer word",
      Cookie: "a=b",
      "webhook-signature": "v1,x",
      "If-None-Match": '"1"',
    };
    await ask(net, chain([302, 302]), { headers });
    expect(here.asked.map((request) => request.headers.authorization)).toEqual([
      "Bearer word",
      "Bearer word",
    ]);
    const { headers: told = {} } = there.asked[0] ?? {};
    expect(Object.keys(told).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "if-none-match",
      "user-agent",
    ]);
  });
});

describe("a redirect from a public site", () => {
  const ADDRESSES: Record<string, string> = {
    "public.example": "93.184.216.34",
    "other.example": "93.184.216.35",
  };
  beforeEach(() => wire((address) => Object.values(ADDRESSES).includes(address)));

  const outside = () =>
    netFor({
      allowPrivateNetwork: false,
      outboundPorts: [here.port, there.port],
      resolve: async (name) => [{ address: ADDRESSES[name] ?? "127.0.0.1", family: 4 }],
    });
  const from = (target: string) =>
    `http://public.example:${here.port}/302/${encodeURIComponent(target.replace("PORT", String(there.port)))}`;

  test("to another is followed", async () => {
    const answer = await ask(outside(), from("http://other.example:PORT/"));
    expect(answer).toMatchObject({ status: 200, url: `http://other.example:${there.port}/` });
  });

  test.each([
    "http://127.0.0.1:PORT/",
    "http://2130706433:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://private.example:PORT/",
    "http://localhost:PORT/",
    "//0:PORT/",
  ])("to %s is refused, and no request goes there", async (target) => {
    expect(await failureOf(outside(), from(target))).toEqual({
      kind: "address",
      message: "The address leads into a private network, which nothing is fetched from.",
    });
    expect([here.asked.length, there.asked.length]).toEqual([1, 0]);
  });

  test("to another port is refused", async () => {
    expect(await failureOf(outside(), from("http://other.example:25/"))).toEqual({
      kind: "url",
      message: `Port 25 isn't fetched from: it must be 80, 443, ${here.port} or ${there.port}.`,
    });
  });
});
