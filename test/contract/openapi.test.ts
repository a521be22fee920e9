import { beforeAll, describe, expect, test } from "vitest";
import { openapiText } from "../../src/operate/cli/openapi-document.ts";
import { type Reply, worldForAll } from "../world.ts";
import { createJudge, describe as describeApi, exampleOf, type Operation } from "./operations.ts";

let operations: Operation[];
let tags: string[];
const world = worldForAll();
beforeAll(async () => {
  const document = describeApi(world.app);
  operations = document.operations;
  tags = document.tags.map(({ name }) => name);
});

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** The operations of which this isn't true. */
const without = (isSo: (operation: Operation) => unknown) =>
  operations.filter((one) => !isSo(one)).map(nameOf);

describe("every operation", () => {
  test("has a name of its own, a summary, a description and a tag that is explained", () => {
    expect(operations.length).toBeGreaterThan(5);
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(without(({ operationId }) => /^[a-z][A-Za-z]+$/.test(operationId ?? ""))).toEqual([]);
    expect(without(({ summary }) => summary)).toEqual([]);
    expect(without(({ description }) => (description ?? "").length > 20)).toEqual([]);
    expect(
      without((operation) => operation.tags?.length && operation.tags.every((tag) => tags.includes(tag))),
    ).toEqual([]);
  });

  test("says what its parameters mean", () => {
    expect(without(({ parameters }) => parameters.every(({ description }) => description))).toEqual([]);
  });

  test("shows an example of its success that is true to the schema", () => {
    const faultsOf = createJudge(world.app);
    const faults = operations.flatMap((operation) =>
      Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content).flatMap(([type, media]) => {
          const headers = { "content-type": `${type}; charset=utf-8` };
          const reply: Reply = { status: Number(status), headers, body: exampleOf(media), text: "x" };
          return faultsOf(operation, reply).map((fault) => `${nameOf(operation)} ${status}: ${fault}`);
        }),
      ),
    );
    expect(faults).toEqual([]);
  });

  test("declares the refusals that it can answer", () => {
    const refused = (status: number) => (one: Operation) => one.responses[status] !== undefined;
    const limited = operations.filter(({ path }) => path.startsWith("/api/"));
    expect(limited.filter((one) => !refused(429)(one)).map(nameOf)).toEqual([]);
    for (const status of [400, 413, 414, 415, 417, 431, 500]) expect(without(refused(status))).toEqual([]);
    const guarded = operations.filter(({ security = [] }) =>
      security.some((way) => Object.keys(way).length > 0),
    );
    expect(guarded.filter((one) => !refused(401)(one)).map(nameOf)).toEqual([]);
    const named = operations.filter(({ path }) => path.includes("{"));
    expect(named.filter((one) => !refused(404)(one)).map(nameOf)).toEqual([]);
    const asked = operations.filter(({ parameters }) => parameters.some((one) => one.in === "query"));
    expect(asked.filter((one) => !refused(422)(one)).map(nameOf)).toEqual([]);
    expect(
      without(({ responses }) => responses[200] || responses[201] || responses[202] || responses[204]),
    ).toEqual([]);
  });

  test("that is a POST is answered once per Idempotency-Key, and says so", () => {
    const posts = operations.filter(({ method }) => method === "POST");
    expect(posts.length).toBeGreaterThan(0);
    for (const operation of posts) {
      const names = operation.parameters.filter((one) => one.in === "header").map(({ name }) => name);
      expect([nameOf(operation), names]).toEqual([nameOf(operation), ["Idempotency-Key"]]);
      expect(operation.responses).toMatchObject({ 409: {}, 422: {} });
    }
  });
});

describe("the description", () => {
  interface Schema {
    $ref?: string;
    description?: string;
    properties?: Record<string, Schema>;
  }
  interface Document {
    components: { schemas: Record<string, Schema>; responses: object };
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  }
  const document = () => world.app.swagger() as unknown as Document;

  test("has at most 3.4 KB for each operation, because it repeats no response, header or example", async () => {
    const { text } = await world.get("/api/openapi.json");
    const operations = Object.values(document().paths).flatMap((path) => Object.keys(path));
    expect(text.length / operations.length).toBeLessThan(3_400);
    const written = Object.values(document().paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.values(responses))
      .concat(Object.values(document().components.responses))
      .filter((response) => !("$ref" in response))
      .map((response) => JSON.stringify(response));
    expect(new Set(written).size).toBe(written.length);
  });

  test("explains every property", () => {
    const { components } = document();
    const explained = ({ $ref, description }: Schema) =>
      Boolean(description ?? components.schemas[$ref?.split("/").at(-1) ?? ""]?.description);
    const unexplained: string[] = [];
    const walk = (value: unknown, place: string): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, property] of Object.entries((value as Schema).properties ?? {})) {
        if (!explained(property)) unexplained.push(`${place}.${name}`);
      }
      for (const [key, held] of Object.entries(value)) walk(held, `${place}.${key}`);
    };
    walk(document(), "");
    expect(unexplained).toEqual([]);
  });

  test("names every body, and none like what JavaScript has already", () => {
    const { schemas } = document().components;
    expect(Object.keys(schemas).filter((name) => name in globalThis)).toEqual([]);
    expect(Object.keys(schemas).filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
    const text = JSON.stringify(document().paths);
    expect(text).not.toContain('"schema":{"type":"object"');
    expect(text).not.toContain('"schema":{"required"');
  });

  test("asks for a key where one is needed, and nowhere else", () => {
    const needsKey = ({ security = [] }: Operation) =>
      security.length > 0 && security.every((way) => "apiKey" in way);
    const guarded = operations.filter(needsKey).map(nameOf);
    expect(guarded).toContain("GET /api/users/me");
    expect(guarded).not.toContain("GET /api/articles/search");
    const instance = operations.find(({ path }) => path === "/api/instance");
    expect(instance?.security).toEqual([]);
  });
});

test("every route under /api is described, or hidden on purpose, and beside them what orchestrators and monitors ask", () => {
  const described = new Set(operations.map(({ path }) => path));
  expect(described).toContain("/api/articles/search");
  expect([...described].filter((path) => !/^\/api(\/|$)/.test(path))).toEqual([
    "/healthz",
    "/readyz",
    "/metrics",
  ]);
});

test("what only the server's own reader of parameters understands isn't described", () => {
  expect(JSON.stringify(world.app.swagger())).not.toContain('"x-');
});

test("the file is what the server says, and is made without a database", async () => {
  const file = await openapiText();
  expect(file.endsWith("}\n")).toBe(true);
  expect(JSON.parse(file)).toEqual((await world.get("/api/openapi.json")).body);
});

test("every page of the site leads to it", async () => {
  for (const url of ["/", "/tags", "/nobody"])
    expect((await world.get(url)).text).toContain('<a href="/api/docs">API</a>');
});
