import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { PATIENCE_MS } from "../setup.ts";
import { serverWith, worldForAll } from "../world.ts";

let port: number;
const world = worldForAll({
  build: serverWith((app) => {
    app.get("/api/things", { config: { access: "open" } }, async () => ({ ok: true }));
    app.post("/api/things", { config: { access: "open" } }, async ({ body }) => ({ body: body ?? null }));
  }),
});
beforeAll(async () => {
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  port = (world.app.server.address() as AddressInfo).port;
});

/** Everything that comes back for these bytes until the server closes the connection or falls silent after it. */
function talk(bytes: string | Buffer, silenceMs = 1_000): Promise<{ text: string; isClosed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.setTimeout(PATIENCE_MS, () => finish(false));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      socket.setTimeout(silenceMs);
    });
    socket.on("error", () => finish(true));
    socket.on("close", () => finish(true));
    function finish(isClosed: boolean): void {
      socket.destroy();
      resolve({ text, isClosed });
    }
  });
}

const request = (line: string, ...headers: string[]) => [line, "Host: x", ...headers, "", ""].join("\r\n");
const GET = "GET /api/things HTTP/1.1";
const POST = "POST /api/things HTTP/1.1";
const JSON_TYPE = "Content-Type: application/json";

/** The status of the one answer in a text, and the body that goes with it. */
function parse(text: string): { status: number; body: unknown; answers: number } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
    body: body === "" ? undefined : JSON.parse(body),
    answers: text.split("HTTP/1.1 ").length - 1,
  };
}

describe("what isn't HTTP as we speak it is refused in the standard body, once, and the connection closed", () => {
  test.concurrent.each([
    [
      "both kinds of length",
      request(POST, JSON_TYPE, "Content-Length: 2", "Transfer-Encoding: chunked") + "0\r\n\r\n",
    ],
    ["two lengths", request(POST, JSON_TYPE, "Content-Length: 2", "Content-Length: 3") + "{}"],
    ["a length that is no number", request(POST, JSON_TYPE, "Content-Length: +2") + "{}"],
    ["a negative length", request(POST, JSON_TYPE, "Content-Length: -2") + "{}"],
    ["an unknown coding", request(POST, JSON_TYPE, "Transfer-Encoding: chunked, identity") + "0\r\n\r\n"],
    ["a chunk without a size", request(POST, JSON_TYPE, "Transfer-Encoding: chunked") + "zz\r\n\r\n"],
    ["bare line feeds", `${GET}\nHost: x\n\n`],
    ["a folded header", request(GET, "X-Folded: a", " b")],
    ["a space before the colon", request(GET, "X-Odd : a")],
    ["a NUL in a header", request(GET, "X-Odd: a\0b")],
    ["a header without a colon", request(GET, "nonsense")],
    ["an unknown method", request("FOO /api/things HTTP/1.1")],
    ["a method in small letters", request("get /api/things HTTP/1.1")],
    ["another protocol", request("GET /api/things SPDY/3")],
    ["HTTP/0.9", "GET /api/things\r\n\r\n"],
    ["HTTP/0.9 with its name", request("GET /api/things HTTP/0.9")],
    ["HTTP/2 in a request line", request("GET /api/things HTTP/2.0")],
    ["bytes in the address that aren't ASCII", request("GET /api/things?q=\xff\xfe HTTP/1.1")],
    ["a space in the address", request("GET /api/ things HTTP/1.1")],
    [
      "no line at all",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a greeting in another protocol \r\n\r\n",
    ],
    ["a missing host", `${GET}\r\n\r\n`],
    ["two hosts", request(GET, "host: y")],
    ["the same host twice", request(GET, "Host: x")],
    ["two hosts in HTTP/1.0", "GET /api/things HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n"],
  ])("%s", async (_name, bytes) => {
    const { text, isClosed } = await talk(Buffer.from(bytes, "latin1"));
    expect(parse(text)).toEqual({ status: 400, body: { error: "bad request", status: 400 }, answers: 1 });
    expect(isClosed).toBe(true);
    expect(text.toLowerCase()).toContain("x-content-type-options: nosniff");
    expect(text.toLowerCase()).toMatch(/x-request-id: [0-9a-f-]{36}/);
  });

  test.concurrent.each([
    ["an address of 13 KiB", request(`GET /${"a".repeat(13_000)} HTTP/1.1`), 414, "uri too long"],
    ["an address of 40 KiB", request(`GET /${"a".repeat(40_000)} HTTP/1.1`), 414, "uri too long"],
    [
      "headers of 20 KiB",
      request(GET, `X-Long: ${"a".repeat(20_000)}`),
      431,
      "request header fields too large",
    ],
    [
      "headers of 40 KiB",
      request(GET, `X-Long: ${"a".repeat(40_000)}`),
      431,
      "request header fields too large",
    ],
    ["101 headers", request(GET, ...Array(100).fill("X-Many: 1")), 431, "request header fields too large"],
    ["3,000 headers", request(GET, ...Array(3_000).fill("X: 1")), 431, "request header fields too large"],
  ])("%s", async (_name, bytes, status, error) => {
    const { text, isClosed } = await talk(bytes);
    expect(parse(text)).toEqual({ status, body: { error, status }, answers: 1 });
    expect(isClosed).toBe(true);
  });
});

describe("what is HTTP is answered", () => {
  test.concurrent.each([
    ["100 headers", request(GET, ...Array(99).fill("X-Many: 1")), 200],
    ["bytes that aren't ASCII in a header", request(GET, "X-Odd: \xff\xfe"), 200],
    ["HTTP/1.0 without a host", "GET /api/things HTTP/1.0\r\n\r\n", 200],
    ["a whole address", request("GET http://evil.example/api/things?q=1 HTTP/1.1"), 200],
    ["a whole address without a path", request("GET http://evil.example HTTP/1.1"), 404],
    ["a whole address of another kind", request("GET ftp://evil.example/api/things HTTP/1.1"), 404],
    ["OPTIONS *", request("OPTIONS * HTTP/1.1"), 404],
    ["TRACE", request("TRACE /api/things HTTP/1.1"), 405],
    ["a wish for another protocol", request(GET, "Connection: Upgrade", "Upgrade: websocket"), 200],
    [
      "a body in pieces",
      request(POST, JSON_TYPE, "Transfer-Encoding: chunked") + "2\r\n{}\r\n0\r\n\r\n",
      200,
    ],
    ["no pieces of a body of no type", request(POST, "Transfer-Encoding: chunked") + "0\r\n\r\n", 200],
    ["an unread JSON body", request(GET, JSON_TYPE, "Content-Length: 2") + "{}", 200],
    ["pieces of one", request(GET, JSON_TYPE, "Transfer-Encoding: chunked") + "2\r\n{}\r\n0\r\n\r\n", 200],
    ["one of no type", request(GET, "Content-Length: 2") + "{}", 415],
    [
      "pieces of one of another type",
      request(GET, "Content-Type: text/plain", "Transfer-Encoding: chunked") + "2\r\n{}\r\n0\r\n\r\n",
      415,
    ],
    ["a dot in the path", request("GET /api/./things HTTP/1.1"), 404],
    ["two slashes", request("GET //api/things HTTP/1.1"), 404],
  ])("%s", async (_name, bytes, status) => {
    const { text } = await talk(Buffer.from(bytes, "latin1"));
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test("an expectation that isn't met is refused in the standard body", async () => {
    const { text } = await talk(request(POST, JSON_TYPE, "Content-Length: 2", "Expect: the-moon"));
    expect(parse(text)).toMatchObject({ status: 417, body: { error: "expectation failed", status: 417 } });
  });

  test("an unread body is not taken for another request", async () => {
    const body = request("GET /api/unknown HTTP/1.1");
    const length = `Content-Length: ${body.length}`;
    const { text } = await talk(request(GET, JSON_TYPE, length) + body + request(GET));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
  });

  test("one that is too large is refused before it comes, and the connection closed when it doesn't", async () => {
    const head = request(GET, JSON_TYPE, `Content-Length: ${5 * 1024 * 1024 + 1}`);
    const { text, isClosed } = await talk(head, PATIENCE_MS);
    expect(parse(text)).toMatchObject({ status: 413, body: { error: "payload too large" }, answers: 1 });
    expect(isClosed).toBe(true);
  });

  test("CONNECT gets no tunnel", async () => {
    const { text, isClosed } = await talk("CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(isClosed).toBe(true);
    expect(text).not.toContain(" 200 ");
  });

  test("and the server is still there", async () => {
    expect((await fetch(`http://127.0.0.1:${port}/api/things`)).status).toBe(200);
    expect(world.bugs).toEqual([]);
  });
});
