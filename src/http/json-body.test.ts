import { describe, expect, test } from "vitest";
import { cpuCost } from "../../test/waiting.ts";
import { serverWith, worldForAll } from "../../test/world.ts";
import type { App } from "./app-type.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

function mount(app: App): void {
  const config = { access: "open" } as const;
  const echo = async ({ body }: { body: unknown }) => ({ body: body === undefined ? "none" : body });
  app.post("/api/echo", { config, bodyLimit: 5 * MIB }, echo);
  app.post("/api/small", { config }, echo);
  app.delete("/api/echo", { config }, echo);
  app.get("/api/echo", { config }, echo);
  app.get("/api/mine", { config: { access: "key" } }, echo);
  app.post("/api/articles", { config }, echo);
}

const world = worldForAll({ build: serverWith(mount) });

function post(
  body: string | Buffer,
  type: string | undefined = "application/json",
  url: string = "/api/echo",
) {
  return world.request({
    method: "POST",
    url,
    body,
    headers: type === "" ? {} : { "content-type": type },
  });
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a JSON body", () => {
  test.each([
    ["null", null],
    ["1e400", null],
    ['"text"', "text"],
    ['{"a":1,"a":2}', { a: 2 }],
    ['\uFEFF{"a":1}', { a: 1 }],
    ['{"a":"\\ud83e\\udd8a \u202e \ufffe \u200b"}', { a: "🦊 \u202e \ufffe \u200b" }],
    ['{"a":"[[[[{{{{\\"[["}', { a: '[[[[{{{{"[[' }],
    ['{"constructor":1,"prototype":2,"toString":3}', { constructor: 1, prototype: 2, toString: 3 }],
  ])("%j is taken as it is", async (text, body) => {
    expect(await post(text)).toMatchObject({ status: 200, body: { body } });
  });

  test.each([
    ["a comment", '{"a":1}//'],
    ["an encoded surrogate", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ["UTF-16", Buffer.from("\uFEFF{}", "utf16le")],
    ["closing brackets only", "]]]]"],
    ["a backslash at the end", '"\\'],
  ])("that is broken by %s is 400", async (_name, text) => {
    expect(await post(text)).toMatchObject({ status: 400, body: { error: "bad request", status: 400 } });
  });

  test.each([
    [
      "NUL in a text",
      '{"article":{"title":"a\\u0000b"}}',
      "article.title contains a NUL character: leave it out",
    ],
    ["half a pair", '{"a":["\\ud800"]}', "a.0 contains half of a surrogate pair: leave it out"],
    [
      "halves in the wrong order",
      '"\\udc00\\ud800"',
      "The body contains half of a surrogate pair: leave it out",
    ],
    ["NUL in a key", '{"a":{"\\u0000":1}}', "A key in a contains a NUL character: leave it out"],
    [
      "__proto__",
      '{"a":{"__proto__":{"admin":true}}}',
      "a has the key __proto__, which isn't allowed: leave it out",
    ],
    [
      "constructor.prototype",
      '{"constructor":{"prototype":{}}}',
      "constructor has the key prototype, which isn't allowed: leave it out",
    ],
    ["65 levels", nested(65), "The body is nested more than 64 levels deep"],
    ["a million levels", nested(1_000_000), "The body is nested more than 64 levels deep"],
  ])("with %s is 422", async (_name, text, error) => {
    expect(await post(text)).toMatchObject({ status: 422, body: { error, status: 422 } });
  });

  test("may be nested 64 levels deep", async () => {
    expect((await post(nested(64))).status).toBe(200);
  });

  test.each([
    ["/api/small", 256 * KIB, "256 KiB"],
    ["/api/echo", 5 * MIB, "5 MiB"],
  ])("to %s may have %i bytes, a byte more is 413", async (url, limit, size) => {
    const text = (length: number) => `"${"a".repeat(length - 2)}"`;
    expect((await post(text(limit), "application/json", url)).status).toBe(200);
    const detail = `The body is larger than ${size}, the most that is allowed here: send a smaller one`;
    expect(await post(text(limit + 1), "application/json", url)).toMatchObject({
      status: 413,
      body: { error: "payload too large", status: 413, detail },
    });
  });
});

const TOO_MANY =
  "The body has more than 10000 values, counting each object, array, string, number and literal: send fewer";

describe("the number of values", () => {
  const list = (item: string, count: number) => `[${Array.from({ length: count }, () => item).join(",")}]`;
  const names = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}" : "\\"{,["`).join(" , ")}}`;

  // The list or the object counts too.
  test.each([
    ["objects", list("{}", 9_999), list("{ }", 10_000)],
    ["arrays", list("[]", 9_999), list("[\n]", 10_000)],
    ["texts", list('"a,[{\\\\"', 9_999), list('"\\""', 10_000)],
    ["numbers", list("-1.5e3", 9_999), list("0", 10_000)],
    ["literals", list("true", 9_999), list("null", 10_000)],
    ["names", names(9_999), names(10_000)],
    ["equal names", `{${'"a":1,'.repeat(9_998)}"a":1}`, `{${'"a":1,'.repeat(9_999)}"a":1}`],
  ])("may be 10,000 %s, and not one more", async (_name, allowed, tooMany) => {
    expect((await post(allowed)).status).toBe(200);
    expect(await post(tooMany)).toMatchObject({ status: 422, body: { error: TOO_MANY, status: 422 } });
  });

  test("isn't raised by the length of texts and numbers, or by blanks", async () => {
    for (const text of [
      `"${"[{,:".repeat(100_000)}"`,
      `"${'\\"'.repeat(1_000_000)}"`,
      `"${"\\u007b".repeat(500_000)}"`,
      "1".repeat(1_000_000),
      `${" ".repeat(4_000_000)}[]`,
    ])
      expect((await post(text)).status).toBe(200);
  });

  test("is counted before anything is parsed: half a million cost no more than one text of their length", async () => {
    const cost = (body: Buffer, status: number) =>
      cpuCost(async () => {
        expect((await post(body)).status).toBe(status);
      });
    const many = Buffer.from(list("{}", 500_000));
    const one = Buffer.from(`"${"a".repeat(many.length - 2)}"`);
    // Parsing them costs twenty times as much.
    expect(await cost(many, 422)).toBeLessThan(2 * (await cost(one, 200)));
  });
});

describe("the type of a body", () => {
  test.each([
    ["application/json", 200],
    ["application/json; charset=utf-8", 200],
    ["Application/JSON;charset=UTF-8", 200],
    ["application/vnd.service.api-v1+json", 200],
    ["application/vnd.service.api-v1+json; charset=utf-8", 200],
    ["", 415],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["multipart/form-data; boundary=x", 415],
    ["application/jsonp", 415],
    ["application/json, text/plain", 415],
    ["application/vnd.other+json", 415],
    ["nonsense", 415],
    [";", 415],
  ])("%j is %i", async (type, status) => {
    const reply = await post('{"a":1}', type);
    expect(reply.status).toBe(status);
    if (status === 415) expect(reply.body).toMatchObject({ error: "unsupported media type", status: 415 });
  });

  test.each(["", "application/json", "text/plain", "nonsense", "multipart/form-data"])(
    "%j doesn't matter when there is no body",
    async (type) => {
      const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
      for (const method of ["POST", "DELETE", "GET"]) {
        const reply = await world.request({ method, url: "/api/echo", headers });
        expect([method, reply.status, reply.body]).toEqual([method, 200, { body: "none" }]);
      }
    },
  );
});

describe("the unread body of a GET", () => {
  const LIMIT = 256 * KIB;
  test.each([
    ["application/json", 2, 200],
    ["application/vnd.service.api-v1+json; charset=utf-8", 2, 200],
    ["application/json", LIMIT, 200],
    ["text/plain", 2, 415],
    ["", 2, 415],
    ["application/json", LIMIT + 1, 413],
    ["text/plain", LIMIT + 1, 413],
  ])("of the type %j and %i bytes is %i", async (type, length, status) => {
    const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
    const body = Buffer.alloc(length, " ");
    for (const method of ["GET", "HEAD"]) {
      expect((await world.request({ method, url: "/api/echo", headers, body })).status).toBe(status);
    }
    const read = await world.request({ method: "GET", url: "/api/echo", headers, body });
    if (status === 200) expect(read.body).toEqual({ body: "none" });
  });

  test("is refused after a missing key and a wrong method", async () => {
    const body = { headers: { "content-type": "text/plain" }, body: "a" };
    expect((await world.request({ url: "/api/mine", ...body })).status).toBe(401);
    expect((await world.request({ url: "/api/mine", key: "member-key", ...body })).status).toBe(415);
    expect((await world.request({ url: "/api/articles", ...body })).status).toBe(405);
    expect((await world.request({ url: "/api/unknown", ...body })).status).toBe(404);
  });
});
