import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, type Elsewhere, failureOf, netFor, startElsewhere } from "../../../test/net.ts";
import { createResolve } from "./resolving.ts";
import { until } from "../../../test/waiting.ts";

const TEXT = "Feeds from elsewhere are read once an hour.";
/** Can't be packed any smaller. */
const NOISE = randomBytes(200_000);
const ZEROS = gzipSync(Buffer.alloc(3_000_000));

const packed = (encoding: string, body: Buffer) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-encoding": encoding }).end(body);

const drip = (response: ServerResponse) => {
  const timer = setInterval(() => response.write("a"), 20);
  response.on("close", () => clearInterval(timer));
};

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  "/plain": (response) => void response.end(TEXT),
  "/empty": (response) => void response.end(),
  "/gzip": packed("gzip", gzipSync(TEXT)),
  "/GZIP": packed(" GZIP", gzipSync(TEXT)),
  "/deflate": packed("deflate", deflateSync(TEXT)),
  "/br": packed("br", brotliCompressSync(TEXT)),
  "/identity": packed("identity", Buffer.from(TEXT)),
  "/empty-gzip": packed("gzip", Buffer.alloc(0)),
  "/noise": (response) => void response.end(NOISE),
  "/noise-in-chunks": (response) => {
    response.write(NOISE.subarray(0, 120_000));
    response.end(NOISE.subarray(120_000));
  },
  "/gzipped-noise": packed("gzip", gzipSync(NOISE)),
  "/bomb": packed("gzip", ZEROS),
  "/bomb-br": packed("br", brotliCompressSync(Buffer.alloc(3_000_000))),
  "/zstd": packed("zstd", Buffer.from(TEXT)),
  "/twice": packed("gzip, gzip", gzipSync(ZEROS)),
  "/cut": packed("gzip", gzipSync(NOISE).subarray(0, 90_000)),
  "/not-gzip": packed("gzip", Buffer.from(TEXT)),
  "/tarpit": drip,
  "/silence": () => undefined,
  "/late-body": (response) => response.writeHead(200).flushHeaders(),
  "/headers": (response) => void response.writeHead(200, { "x-much": "y".repeat(20_000) }).end(),
  "/endless-headers": ({ socket }) => {
    socket?.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket?.write(`x-${Math.random()}: ${"y".repeat(500)}\r\n`), 2);
    socket?.on("close", () => clearInterval(timer)).on("error", () => undefined);
  },
  "/banner": ({ socket }) => void socket?.end("220 mail.secret.internal ESMTP\r\n"),
  "/broken-off": (response) => {
    response.writeHead(200, { "content-length": 100 }).write(TEXT);
    setImmediate(() => response.socket?.destroy());
  },
  "/hang-up": ({ socket }) => void socket?.destroy(),
  "/500": (response) => void response.writeHead(500).end("secret stack"),
  "/404": (response) => void response.writeHead(404).end("nothing"),
  "/not-modified": (response) => void response.writeHead(304, { etag: '"1"' }).end(),
};

let site: Elsewhere;
const net = netFor();
beforeAll(async () => {
  site = await startElsewhere(({ url = "" }, response) => ANSWERS[url]?.(response));
});
afterAll(async () => {
  await net.close();
  await site.stop();
});

/** No connection stays open, however it ended. */
const isClosed = () => until(async () => (await site.connections()) === 0);

describe("a body", () => {
  test.each(["/plain", "/gzip", "/GZIP", "/deflate", "/br", "/identity"])(
    "from %s is read whole",
    async (path) => {
      const answer = await ask(net, site.url + path);
      expect({ status: answer.status, text: String(answer.body) }).toEqual({ status: 200, text: TEXT });
      await isClosed();
    },
  );

  test.each(["/empty", "/empty-gzip", "/not-modified"])("from %s is empty", async (path) => {
    expect((await ask(net, site.url + path)).body.length).toBe(0);
  });

  test("of a HEAD is none, packed or not", async () => {
    const answer = await ask(net, `${site.url}/gzip`, { method: "HEAD", maxBytes: 1 });
    expect(answer).toMatchObject({ status: 200, headers: { "content-encoding": "gzip" } });
    expect(answer.body.length).toBe(0);
  });

  test.each(["/noise", "/noise-in-chunks", "/gzipped-noise"])(
    "may be exactly as large as allowed, counted when unpacked: %s",
    async (path) => {
      const whole = await ask(net, site.url + path, { maxBytes: NOISE.length });
      expect(whole.body.equals(NOISE)).toBe(true);
      expect(await failureOf(net, site.url + path, { maxBytes: NOISE.length - 1 })).toEqual({
        kind: "size",
        message: `127.0.0.1's response is larger than ${NOISE.length - 1} bytes.`,
      });
      await isClosed();
    },
  );

  test.each(["/noise", "/noise-in-chunks", "/gzipped-noise", "/tarpit"])(
    "is read only to its beginning where that is asked for: %s",
    async (path) => {
      const { body } = await ask(net, site.url + path, { maxBytes: 10, read: "beginning" });
      expect(body.length).toBe(10);
      await isClosed();
    },
  );

  test.each(["/bomb", "/bomb-br"])("may not grow without measure when it is unpacked: %s", async (path) => {
    expect(await failureOf(net, site.url + path, { maxBytes: 10_000_000 })).toEqual({
      kind: "size",
      message: "127.0.0.1's response grows too much when it is decompressed.",
    });
    const patient = await ask(net, site.url + path, { maxBytes: 3_000_000, maxRatio: 1e9 });
    expect(patient.body.length).toBe(3_000_000);
  });

  test.each([
    ["/zstd", "127.0.0.1's response has an unknown Content-Encoding."],
    ["/twice", "127.0.0.1's response has an unknown Content-Encoding."],
    ["/cut", "127.0.0.1's response isn't valid HTTP."],
    ["/not-gzip", "127.0.0.1's response isn't valid HTTP."],
    ["/banner", "127.0.0.1's response isn't valid HTTP."],
  ])("that can't be unpacked is no answer: %s", async (path, message) => {
    expect(await failureOf(net, site.url + path, { maxBytes: 1_000_000 })).toEqual({
      kind: "answer",
      message,
    });
    await isClosed();
  });

  test.each([
    ["/broken-off", "answer", "127.0.0.1's response isn't valid HTTP."],
    ["/hang-up", "unreachable", "The connection to 127.0.0.1 failed."],
  ])("that breaks off is no answer: %s", async (path, kind, message) => {
    expect(await failureOf(net, site.url + path)).toEqual({ kind, message });
    await isClosed();
  });
});

describe("headers", () => {
  test.each(["/headers", "/endless-headers"])("are bounded: %s", async (path) => {
    expect(await failureOf(net, site.url + path)).toEqual({
      kind: "size",
      message: "The headers of 127.0.0.1's response are too large.",
    });
    await isClosed();
  });
});

describe("time", () => {
  test.each(["/tarpit", "/silence", "/late-body"])("ends what never ends: %s", async (path) => {
    expect(await failureOf(net, site.url + path, { timeoutMs: 1_000 })).toEqual({
      kind: "timeout",
      message: "The whole response didn't arrive in time.",
    });
    await isClosed();
  });

  test("counts from the first address of a chain of redirects", async () => {
    let hops = 0;
    const slow = await startElsewhere((_, response) => {
      const answer = () => response.writeHead(302, { location: `/${(hops += 1)}` }).end();
      setTimeout(answer, 100);
    });
    expect(await failureOf(net, slow.url, { timeoutMs: 450, maxRedirects: 1_000 })).toMatchObject({
      kind: "timeout",
    });
    expect(hops).toBeLessThan(6);
    await slow.stop();
  });

  test("ends a lookup without an answer", async () => {
    const lost = netFor({ resolve: createResolve(() => new Promise(() => undefined)) });
    const waiting = { connectTimeoutMs: 200, timeoutMs: 20_000 };
    expect(await failureOf(lost, "http://example.com/", waiting)).toEqual({
      kind: "timeout",
      message: "example.com didn't respond in time.",
    });
    expect(await failureOf(lost, "http://example.net/", { timeoutMs: 200 })).toMatchObject({
      kind: "timeout",
    });
  });
});

describe("every caller", () => {
  test("may stop it at any time", async () => {
    const stop = new AbortController();
    const failing = failureOf(net, `${site.url}/tarpit`, { signal: stop.signal });
    await until(async () => (await site.connections()) === 1);
    stop.abort();
    expect(await failing).toEqual({
      kind: "stopped",
      message: "The request was stopped before its response arrived.",
    });
    await isClosed();
    const before = site.asked.length;
    expect(await failureOf(net, `${site.url}/plain`, { signal: stop.signal })).toMatchObject({
      kind: "stopped",
    });
    expect(site.asked.length).toBe(before);
  });

  test("gets no answer when the client closes, and none afterwards", async () => {
    const closing = netFor();
    const failing = failureOf(closing, `${site.url}/silence`);
    await until(async () => (await site.connections()) === 1);
    await closing.close();
    expect(await failing).toMatchObject({ kind: "stopped" });
    await isClosed();
    expect(await failureOf(closing, `${site.url}/plain`)).toMatchObject({ kind: "stopped" });
  });
});
