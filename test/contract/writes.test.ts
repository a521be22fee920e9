import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call, Reply, World } from "../world.ts";
import { createJudge, describe as describeApi, exampleOf, type Operation, WRAPPED } from "./operations.ts";
import { startSeededWorld, urlOf } from "./seeded-world.ts";

let world: World;
let key: string;
let writes: Operation[];
let faultsOf: (operation: Operation, reply: Reply) => string[];
beforeAll(async () => {
  ({ world, key } = await startSeededWorld());
  writes = describeApi(world.app).operations.filter(({ method }) => method !== "GET");
  faultsOf = createJudge(world.app);
});
afterAll(() => world.stop());

/** Those whose body has this wrapper. */
const writesOf = (wrapper: string) =>
  writes.filter(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).some((each) => wrapper in (exampleOf(each) as object)),
  );

/** Sends it, and lists in what the answer isn't as the description says. */
async function send(operation: Operation, call: Partial<Call>): Promise<{ reply: Reply; faults: string[] }> {
  const reply = await world.request({ method: operation.method, url: urlOf(operation), key, ...call });
  const faults = faultsOf(operation, reply);
  if (reply.status >= 500) faults.push(`${reply.status}`);
  const name = `${operation.method} ${call.url ?? ""} ${JSON.stringify(call.body)?.slice(0, 100)}`;
  return { reply, faults: faults.map((fault) => `${name}: ${reply.status} ${fault}`) };
}

const NOT_IDS = [
  "-1",
  "01",
  "1.0",
  "1e3",
  "0x1",
  "%201",
  "2147483648",
  "9223372036854775808",
  "one",
  "%00",
  "%FF",
];

const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2_147_483_648,
  "",
  " ",
  "x".repeat(10_000),
  "e" + "\u0301".repeat(150),
  "\u202eabc\u200b",
  "\ufffe",
  "https://u:p@localhost/\r\nx: 1",
  "javascript:alert(1)",
  "2026-02-30T25:61:61Z",
  "294277-01-01T00:00:00Z",
  "---\ntitle: [\n---\n",
  "---\ntitle: a\n---\n{% embed nothing %}",
  [],
  [null],
  [["a"]],
  Array.from({ length: 1_000 }, (_, index) => `t${index}`),
  {},
  { a: { b: [] } },
];

describe("every write", () => {
  test("of what isn't a number is of nothing", async () => {
    const named = writes.filter(({ path }) => path.includes("{id}"));
    expect(named.length).toBeGreaterThan(2);
    for (const operation of named) {
      for (const id of NOT_IDS) {
        const { reply, faults } = await send(operation, { url: urlOf(operation, { id }), body: {} });
        expect([operation.path, id, reply.status, faults]).toEqual([operation.path, id, 404, []]);
      }
    }
  });

  test("without a key is refused before anything of it is looked at", async () => {
    for (const operation of writes) {
      for (const body of ["{", "[]", '{"article":1}', "\0"]) {
        const headers = { "content-type": "text/odd", "if-match": '"x"', "idempotency-key": "" };
        const { reply, faults } = await send(operation, { key: undefined, headers, body });
        expect([operation.path, reply.status, faults]).toEqual([operation.path, 401, []]);
      }
    }
  });

  test.each(
    Object.entries(WRAPPED).flatMap(([wrapper, each]) =>
      each.attributes.map((name) => ({ wrapper, name, needed: each.needed })),
    ),
  )("of $wrapper takes or refuses any value of $name, as described", async ({ wrapper, name, needed }) => {
    const all: string[] = [];
    expect(writesOf(wrapper)).not.toEqual([]);
    for (const operation of writesOf(wrapper)) {
      for (const value of VALUES) {
        all.push(...(await send(operation, { body: { [wrapper]: { ...needed(), [name]: value } } })).faults);
      }
    }
    expect(all).toEqual([]);
    expect(world.bugs).toEqual([]);
  });

  test.each(Object.keys(WRAPPED))("of %s without its wrapper is refused with a sentence", async (kind) => {
    expect(writesOf(kind)).not.toEqual([]);
    const wrapped = VALUES.filter((value) => !JSON.stringify(value).startsWith('{"'));
    for (const operation of writesOf(kind)) {
      for (const body of [{}, [], { title: "x" }, ...wrapped.map((value) => ({ [kind]: value }))]) {
        const { reply, faults } = await send(operation, { body: JSON.stringify(body), ...json });
        expect([JSON.stringify(body).slice(0, 50), reply.status, faults]).toEqual([
          JSON.stringify(body).slice(0, 50),
          422,
          [],
        ]);
      }
    }
  });
});

const json = { headers: { "content-type": "application/json" } };
