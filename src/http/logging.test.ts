import { Writable } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import { expect, test } from "vitest";
import { logAnswer, loggerOptions } from "./logging.ts";
import { requestId } from "./request-head.ts";

async function logOf(act: (app: FastifyInstance) => void, url: string): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = Fastify({
    logger: { ...(loggerOptions({ logLevel: "info", logFormat: "json" }) as object), stream },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
  });
  app.addHook("onResponse", logAnswer);
  act(app);
  const headers = { "api-key": "secret-key", "x-request-id": "request-0001", cookie: "secret-cookie" };
  await app.inject({ url, headers });
  await app.close();
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("an answer is one line, which names the request and holds nothing that is secret", async () => {
  const lines = await logOf((app) => {
    app.get("/api/search", async () => ({}));
  }, "/api/search?q=secret-words&api_key=secret-key");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    msg: "request completed",
    status: 200,
    reqId: "request-0001",
    req: { method: "GET", path: "/api/search" },
  });
  expect(JSON.stringify(lines)).not.toContain("secret");
});

const TOKEN = "aB3-_".repeat(9).slice(2);

test.each([
  `/confirm/${TOKEN}`,
  `/%63onfirm/${TOKEN}`,
  `/signin/%6cink/${TOKEN}`,
  `/x/../confirm/${TOKEN}`,
  `/confirm%2F${TOKEN}`,
  `/confirm/${TOKEN}/`,
  `/confirm/${TOKEN}.`,
  `/confirm/${TOKEN.replace("a", "%61")}`,
  `/signin?next=/confirm/${TOKEN}?x`,
])("the log of %s holds no token", async (url) => {
  const [line = {}] = await logOf(() => {}, url);
  expect(line).toMatchObject({ status: 404 });
  expect(JSON.stringify(line)).not.toContain(TOKEN.slice(-20));
});

test("an error is logged without the values that the database repeats", async () => {
  const lines = await logOf((app) => {
    app.get("/", async (request: FastifyRequest) => {
      const cause = Object.assign(new Error("duplicate key"), {
        code: "23505",
        detail: "Key (email)=(secret@example)",
      });
      request.log.error({ err: new Error("broken\nline \u001b[31m", { cause }) }, "unexpected error");
      return {};
    });
  }, "/");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ err: { message: "broken\nline \u001b[31m", cause: { code: "23505" } } });
  expect(JSON.stringify(lines)).not.toContain("secret");
});

test("silence is no logger at all", () => {
  expect(loggerOptions({ logLevel: "silent", logFormat: "json" })).toBe(false);
});
