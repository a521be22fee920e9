import { afterAll, beforeAll, expect, test } from "vitest";
import type { Call, World } from "../world.ts";
import { createJudge, describe as describeApi, type Operation, requestFor } from "./operations.ts";
import { startSeededWorld } from "./seeded-world.ts";

let world: World;
let key: string;
let operations: Operation[];
let faultsOf: ReturnType<typeof createJudge>;
beforeAll(async () => {
  ({ world, key } = await startSeededWorld());
  operations = describeApi(world.app).operations;
  faultsOf = createJudge(world.app);
});
afterAll(() => world.stop());

/** Changes that spoil a good request, by name. */
const ODDITIES: Record<string, (call: Call) => Call | Promise<Call>> = {
  nothing: (call) => call,
  "what the client has already": async (call) => ({
    ...call,
    headers: { "if-none-match": call.method === "GET" ? await etagOf(call) : "*" },
  }),
  "a body nested too deeply": (call) => withBody(call, "[".repeat(65) + "]".repeat(65)),
  "a body that isn't JSON": (call) => withBody(call, "{"),
  "a NUL in the body": (call) => withBody(call, '{"a":"\\u0000"}'),
  "a body of another type": (call) => withBody(call, "text", "text/plain"),
  "a form": (call) => withBody(call, "--x--\r\n", "multipart/form-data; boundary=x"),
  "an unknown parameter": (call) => withQuery(call, "unknown=1"),
  "a parameter twice": (call) => withQuery(call, "page=1&page=2"),
  "parameters out of range": (call) => withQuery(call, "page=-1&per_page=100000&id=x&start=x"),
  "a NUL in the query": (call) => withQuery(call, "q=%00"),
  "a query that can't be decoded": (call) => withQuery(call, "q=%ff"),
  "a version that isn't there": (call) => ({ ...call, headers: { ...call.headers, "if-match": '"x"' } }),
  "a malformed version": (call) => ({ ...call, headers: { ...call.headers, "if-match": "x" } }),
  "too long an Idempotency-Key": (call) => ({
    ...call,
    headers: { ...call.headers, "idempotency-key": "a".repeat(300) },
  }),
  "a wrong key": (call) => ({ ...call, key: "wrong" }),
  "a name that no path has": (call) => ({ ...call, url: call.url.replaceAll(/(?<=\/)\d+/g, "x%00") }),
  "a large number": (call) => ({ ...call, url: call.url.replaceAll(/(?<=\/)\d+/g, "99999999999") }),
};

const etagOf = async (call: Call) => (await world.request(call)).headers["etag"] ?? "*";
const withBody = (call: Call, body: string, type = "application/json"): Call => ({
  ...call,
  body,
  headers: { "content-type": type },
});
const withQuery = (call: Call, query: string): Call => ({
  ...call,
  url: `${call.url}${call.url.includes("?") ? "&" : "?"}${query}`,
});

test.each(Object.keys(ODDITIES))("every operation declares its answer to a request with %s", async (name) => {
  const subject = { id: 99, slug: "growing-tomatoes-1a", code: "m35m", author: { id: 1, username: "lena" } };
  const faults: string[] = [];
  for (const operation of operations) {
    const readable = operation.method === "GET" ? { ...subject, id: 1 } : subject;
    const call = { key, ...requestFor(operation, readable) };
    const reply = await world.request((await ODDITIES[name]?.(call)) ?? call);
    faults.push(...faultsOf(operation, reply).map((fault) => `${operation.operationId}: ${fault}`));
  }
  expect(faults).toEqual([]);
});
