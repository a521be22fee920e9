import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sample } from "../setup.ts";
import type { Reply, World } from "../world.ts";
import {
  createJudge,
  describe as describeApi,
  type Operation,
  type ParameterDescription,
} from "./operations.ts";
import { GOOD, startSeededWorld, urlOf } from "./seeded-world.ts";

let world: World;
let key: string;
let operations: Operation[];
let faultsOf: (operation: Operation, reply: Reply) => string[];

beforeAll(async () => {
  ({ world, key } = await startSeededWorld());
  operations = describeApi(world.app).operations;
  faultsOf = createJudge(world.app);
});
afterAll(() => world.stop());

/** Asks, and lists everything that isn't as the description says. */
async function ask(
  operation: Operation,
  url: string,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const { method } = operation;
  const faults: string[] = [];
  for (const who of [undefined, key]) {
    const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
    const reply = await world.request({ method, url, key: who, headers, ...body });
    if (reply.status >= 500) faults.push(`${method} ${url}: ${reply.status}`);
    faults.push(...faultsOf(operation, reply).map((fault) => `${method} ${url}: ${reply.status} ${fault}`));
  }
  return faults;
}

/** All operations that read, with each of their parameters of a kind. */
function each(isWanted: (parameter: ParameterDescription) => boolean): [Operation, ParameterDescription][] {
  const reads = operations.filter(({ method }) => method === "GET");
  return reads.flatMap((operation) =>
    operation.parameters
      .filter(isWanted)
      .map((parameter): [Operation, ParameterDescription] => [operation, parameter]),
  );
}

/** Query parameters that are ids, with the answer to those that identify nothing. */
const IDS: Record<string, number> = { a_id: 404, organization_id: 404, article_id: 422 };

const INTEGERS = [
  "0",
  "1",
  "2147483647",
  "-1",
  "2147483648",
  "9007199254740992",
  "9223372036854775808",
  "1e309",
  "1e3",
  "%201",
  "%2B1",
  "0x1",
  "01",
  "1.0",
  "",
  "one",
  "null",
  "true",
  "[1]",
  "%F0%9F%A6%8A",
];

/** Whether a text says a number that a parameter takes, or nothing at all. */
function isWhole(text: string, { schema: { minimum = 0, maximum = 0 } }: ParameterDescription): boolean {
  return (
    text === "" || (/^(0|[1-9]\d{0,9})$/.test(text) && Number(text) >= minimum && Number(text) <= maximum)
  );
}

const PECULIAR_TEXTS = {
  NUL: "a%00b",
  "bytes that aren't UTF-8": "%FF%FE",
  "an encoded surrogate": "%ED%A0%80",
  "percent signs": "%zz%",
  "a non-character": "%EF%BF%BE",
  "reversed writing": "%E2%80%AEabc",
  "no width": "%E2%80%8B%E2%80%8D",
  "combining marks": "e" + "%CC%81".repeat(150),
  "a quote and SQL": "'%22;drop%20table%20users--",
  "SQL's patterns": "%25_%5C",
  "search operators": "%22a%20-b%20%26%20%7C%20!%20%3C-%3E%20(%20:*",
  "only operators": "-%22%22%20-%20!",
  "a path": "..%2F..%2Fetc%2Fpasswd",
  "a line feed": "a%0D%0Ax-injected:%201",
  markup: "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
  "200 letters": "a".repeat(200),
  "201 letters": "a".repeat(201),
  "8,000 letters": "a".repeat(8_000),
  "13,000 letters": "a".repeat(13_000),
  emoji: "%F0%9F%A6%8A%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB",
};

/** Clients written for Forem also get its names, and plain JSON from search. */
const PROFILE = /additional properties|search: 200 200 has the type application\/json$/;

describe("every answer is as the description says", () => {
  test("to every spelling of a whole number", async () => {
    // p_id excludes a_id, which these requests have.
    const found = each(({ schema, name }) => schema.type === "integer" && name !== "p_id");
    expect(found.length).toBeGreaterThan(4);
    const faults: string[] = [];
    for (const [turn, [operation, parameter]] of found.entries()) {
      for (const text of sample(INTEGERS, 7, turn)) {
        const url = urlOf(operation, { [parameter.name]: text });
        faults.push(...(await ask(operation, url)));
        const unknown = parameter.in === "path" ? 404 : IDS[parameter.name];
        // An id may be well-formed and yet identify nothing.
        if (unknown !== undefined && isWhole(text, parameter)) continue;
        const { status } = await world.get(url, { key });
        const isRefused = status === (unknown ?? 422);
        expect([url, isRefused]).toEqual([url, !isWhole(text, parameter)]);
      }
    }
    expect(faults).toEqual([]);
  });

  test("to peculiar texts", async () => {
    const found = each(({ schema }) => schema.type !== "integer");
    expect(found.length).toBeGreaterThan(4);
    const faults: string[] = [];
    for (const [turn, [operation, { name }]] of found.entries()) {
      for (const text of sample(Object.values(PECULIAR_TEXTS), 7, turn)) {
        faults.push(...(await ask(operation, urlOf(operation, { [name]: text }))));
      }
    }
    expect(faults).toEqual([]);
  });

  test("to names that nothing could be called: they are unknown", async () => {
    const lists = ["tag", "tags", "username", "state"].map((name) => `/api/articles?${name}=`);
    for (const url of [...lists, "/api/articles/latest?tag=", "/api/articles/search?tag="]) {
      for (const text of ["%00", "%00,%00", "wool%00", "%ED%A0%80", "%ED%A0%80%ED%B0%80", "%FF"]) {
        const { status, body } = await world.get(url + text);
        expect([url, text, status, body]).toEqual([url, text, 200, []]);
      }
    }
  });

  test("to tags that nothing could be called and that are to be left out: nothing is", async () => {
    const { body: all } = await world.get("/api/articles");
    for (const text of ["%00", "wool%00,%ED%A0%80", "%FF"]) {
      const { status, body } = await world.get(`/api/articles?tags_exclude=${text}`);
      expect([text, status, body]).toEqual([text, 200, expect.arrayContaining(all as unknown[])]);
    }
  });

  test("to words that are none: nothing is found", async () => {
    for (const text of ["%00", "%00%00", "%01%1f", "%E2%80%8B", "-%00"]) {
      const { status, body } = await world.get(`/api/articles/search?q=${text}`);
      expect([text, status, body]).toEqual([text, 200, []]);
    }
  });

  test("to words with control characters between them, which part them", async () => {
    const { body } = await world.get("/api/articles/search?q=growing%00tomatoes");
    expect(body).toMatchObject([{ slug: "growing-tomatoes-1a" }]);
  });

  test("to parameters given twice, with brackets, and a thousand of them", async () => {
    const faults: string[] = [];
    const found = each((one) => one.in === "query");
    for (const [operation, { name, schema }] of found) {
      const text = schema.type === "integer" ? "1" : (GOOD[name] ?? "a");
      const twice = await world.get(urlOf(operation, { [name]: text }, [`${name}=${text}`]), { key });
      expect([operation.path, name, twice.status]).toEqual([operation.path, name, 422]);
      faults.push(...(await ask(operation, urlOf(operation, {}, [`${name}[]=1`, `${name}[a]=1`]))));
    }
    const thousand = Array.from({ length: 1_000 }, (_, n) => `${n}=`);
    for (const operation of new Set(found.map(([one]) => one))) {
      faults.push(...(await ask(operation, urlOf(operation, {}, thousand))));
    }
    expect(faults).toEqual([]);
  });

  test("to clients of every kind", async () => {
    const faults: string[] = [];
    const accepts = [
      "*/*",
      "text/html",
      "application/json",
      "application/vnd.forem.api-v1+json",
      "nonsense;;q=\x7f",
    ];
    for (const operation of operations) {
      for (const accept of accepts) {
        const found = await ask(operation, urlOf(operation), { accept, "content-type": "text/odd" });
        const isProfile = accept.includes("forem");
        faults.push(...found.filter((fault) => !(isProfile && PROFILE.test(fault))));
      }
    }
    expect(faults).toEqual([]);
  });

  test("and nothing of all this was a surprise", () => {
    expect(world.bugs).toEqual([]);
  });
});
