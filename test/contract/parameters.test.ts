import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Reply, startWorld, type World } from "../world.ts";
import { createJudge, describe as describeApi, type Operation, type ParameterDescription } from "./description.ts";

let world: World;
let key: string;
let operations: Operation[];
let faultsOf: (operation: Operation, reply: Reply) => string[];

beforeAll(async () => {
  world = await startWorld();
  const admin = await world.user({ username: "lena", role: "admin", microblog_username: "lena", website_url: "https://lena.example" });
  const group = await world.organization({ username: "tinkerlab", name: "Tinker Lab" });
  key = await world.key(admin);
  const tags = ["wool", "discuss"];
  await world.article(admin, { title: "Growing tomatoes", slug: "growing-tomatoes-1a", tags, series: "Garden" });
  await world.article(admin, { title: "Sharpening knives", slug: "knives-1b", organization: group.username });
  const document = describeApi(world.app);
  operations = document.operations;
  faultsOf = createJudge(world.app);
});
afterAll(() => world.stop());

/** Values with which an operation answers something, by the names of its parameters. */
const GOOD: Record<string, string> = {
  id: "1",
  username: "lena",
  slug: "growing-tomatoes-1a",
  url: "/lena/growing-tomatoes-1a",
};

function urlOf({ path, parameters }: Operation, changed: Record<string, string> = {}, more: string[] = []): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => changed[name] ?? GOOD[name] ?? "1");
  const needed = parameters
    .filter((one) => one.in === "query" && (one.required || one.name in changed))
    .map(({ name }) => `${name}=${changed[name] ?? encodeURIComponent(GOOD[name] ?? "1")}`);
  const query = [...needed, ...more].join("&");
  return query === "" ? filled : `${filled}?${query}`;
}

/** Asks, and lists everything that isn't as the description says. */
async function ask(operation: Operation, url: string, headers: Record<string, string> = {}): Promise<string[]> {
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
  return operations.flatMap((operation) =>
    operation.parameters.filter(isWanted).map((parameter): [Operation, ParameterDescription] => [operation, parameter]),
  );
}

const INTEGERS = [
  "0", "1", "2147483647", "-1", "2147483648", "9007199254740992", "9223372036854775808", "1e309", "1e3", "%201", "%2B1",
  "0x1", "01", "1.0", "", "one", "null", "true", "[1]", "%F0%9F%A6%8A",
];

/** Whether a text says a number that a parameter takes, or nothing at all. */
function isWhole(text: string, { schema: { minimum = 0, maximum = 0 } }: ParameterDescription): boolean {
  return text === "" || (/^(0|[1-9]\d{0,9})$/.test(text) && Number(text) >= minimum && Number(text) <= maximum);
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
  "9,000 letters": "a".repeat(9_000),
  emoji: "%F0%9F%A6%8A%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB",
};

describe("every answer is as the description says", () => {
  test("to what the description shows", async () => {
    const statuses = new Set<number>();
    for (const operation of operations) {
      const reply = await world.request({ method: operation.method, url: urlOf(operation), key });
      statuses.add(reply.status);
      expect(faultsOf(operation, reply)).toEqual([]);
    }
    expect(statuses).toContain(200);
  });

  test("to every spelling of a whole number", async () => {
    const found = each(({ schema }) => schema.type === "integer");
    expect(found.length).toBeGreaterThan(4);
    const faults: string[] = [];
    for (const [operation, parameter] of found) {
      for (const text of INTEGERS) {
        const url = urlOf(operation, { [parameter.name]: text });
        faults.push(...(await ask(operation, url)));
        const { status } = await world.get(url, { key });
        const isRefused = status === (parameter.in === "path" ? 404 : 422);
        expect([url, isRefused]).toEqual([url, !isWhole(text, parameter)]);
      }
    }
    expect(faults).toEqual([]);
  });

  test("to peculiar texts", async () => {
    const found = each(({ schema }) => schema.type !== "integer");
    expect(found.length).toBeGreaterThan(4);
    const faults: string[] = [];
    for (const [operation, { name }] of found) {
      for (const text of Object.values(PECULIAR_TEXTS)) {
        faults.push(...(await ask(operation, urlOf(operation, { [name]: text }))));
      }
    }
    expect(faults.filter((fault) => !fault.includes(": 414 414 isn't declared"))).toEqual([]);
  });

  test("to parameters given twice, with brackets, and a thousand of them", async () => {
    const faults: string[] = [];
    for (const [operation, { name, schema }] of each((one) => one.in === "query")) {
      const text = schema.type === "integer" ? "1" : (GOOD[name] ?? "a");
      const twice = await world.get(urlOf(operation, { [name]: text }, [`${name}=${text}`]), { key });
      expect([operation.path, name, twice.status]).toEqual([operation.path, name, 422]);
      for (const more of [[`${name}[]=1`, `${name}[a]=1`], Array.from({ length: 1_000 }, (_, n) => `${n}=`)]) {
        const url = urlOf(operation, {}, more);
        faults.push(...(await ask(operation, url)));
      }
    }
    expect(faults).toEqual([]);
  });

  test("to clients of every kind", async () => {
    const faults: string[] = [];
    const accepts = ["*/*", "text/html", "application/json", "application/vnd.forem.api-v1+json", "nonsense;;q=\x7f"];
    for (const operation of operations) {
      for (const accept of accepts) {
        const found = await ask(operation, urlOf(operation), { accept, "content-type": "text/odd" });
        const isProfile = accept.includes("forem");
        faults.push(...found.filter((fault) => !(isProfile && fault.includes("additional properties"))));
      }
    }
    expect(faults).toEqual([]);
  });

  test("and nothing of all this was a surprise", () => {
    expect(world.bugs).toEqual([]);
  });
});

describe("every public read", () => {
  test("has a version, says 304 to who knows it, is the same to HEAD, and may be read by pages of other sites", async () => {
    const reads = operations.filter(({ path, method }) => method === "GET" && !path.includes("health_checks"));
    for (const operation of reads) {
      const url = urlOf(operation);
      const { status, headers } = await world.get(url);
      if (status === 401) continue;
      expect([url, status]).toEqual([url, 200]);
      expect(headers).toMatchObject({ "access-control-allow-origin": "*", "cache-control": "public, no-cache" });
      const known = await world.get(url, { headers: { "if-none-match": `"other", ${String(headers["etag"])}` } });
      expect([url, known.status, known.text]).toEqual([url, 304, ""]);
      expect(known.headers).toMatchObject({ etag: headers["etag"], vary: headers["vary"] });
      const head = await world.request({ method: "HEAD", url });
      expect([head.status, head.text, head.headers["etag"]]).toEqual([200, "", headers["etag"]]);
      expect(head.headers["content-length"]).toBe(headers["content-length"]);
    }
  });
});

describe("every path", () => {
  test("answers other methods with 405 and an Allow that is true", async () => {
    for (const operation of operations) {
      const url = urlOf(operation);
      const { headers } = await world.request({ method: "OPTIONS", url });
      const allowed = String(headers["allow"]).split(", ");
      expect(allowed).toContain(operation.method);
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "QUERY"]) {
        const { status } = await world.request({ method, url });
        expect([method, url, status === 405]).toEqual([method, url, !allowed.includes(method)]);
      }
    }
  });

  test("spelt otherwise is decided the same way, or is unknown", async () => {
    for (const operation of operations) {
      const url = urlOf(operation).split("?")[0] ?? "";
      const { status } = await world.request({ method: operation.method, url });
      const last = url.slice(url.lastIndexOf("/") + 1);
      const encoded = [...last].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
      const same = await world.request({ method: operation.method, url: url.replace(last, encoded) });
      expect([url, same.status]).toEqual([url, status]);
      const spellings = [`${url}/`, url.toUpperCase(), `${url};a`, `${url}.json`, `${url}%00`, `${url}/.`, `${url}%2F`];
      for (const spelling of spellings) {
        const reply = await world.request({ method: operation.method, url: spelling });
        expect([spelling, [status, 401, 404].includes(reply.status)]).toEqual([spelling, true]);
      }
    }
  });
});
