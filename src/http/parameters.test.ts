import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { serverWith, startWorld, worldForAll } from "../../test/world.ts";
import type { App } from "./app-type.ts";
import { idParameter, listPage } from "./schema.ts";

const Query = Type.Object({
  ...listPage({ default: 30, max: 1_000 }),
  q: Type.Optional(Type.String({ maxLength: 5 })),
  sort: Type.Optional(Type.Enum(["asc", "desc"])),
  name: Type.Optional(Type.String({ maxLength: 5, "x-any-text": true })),
  top: Type.Optional(
    Type.String({ pattern: "^[1-9][0-9]{0,3}$", "x-rule": "a whole number from 1 to 9999" }),
  ),
  id: Type.Optional(Type.Integer()),
});

const Params = Type.Object({ id: idParameter("Which.", 1), name: Type.String() });

function mount(app: App): void {
  const config = { access: "public" } as const;
  app.get("/api/list", { config, schema: { querystring: Query } }, async ({ query, given }) => ({
    query,
    given,
  }));
  app.get(
    "/api/needy",
    { config, schema: { querystring: Type.Object({ q: Type.String() }) } },
    async () => ({}),
  );
  app.get("/api/things/:id/:name", { config, schema: { params: Params } }, async ({ params }) => params);
}

const world = worldForAll({ build: serverWith(mount) });

describe("a query", () => {
  test.each([
    ["", { page: 1, per_page: 30 }],
    ["page=2&per_page=1000", { page: 2, per_page: 1000 }],
    ["page=2147483647", { page: 2_147_483_647, per_page: 30 }],
    ["id=0", { page: 1, per_page: 30, id: 0 }],
    ["page=&q=&sort=&top=", { page: 1, per_page: 30 }],
    ["q=%20%20", { page: 1, per_page: 30 }],
    ["page", { page: 1, per_page: 30 }],
    ["q=a+b%20c", { page: 1, per_page: 30, q: "a b c" }],
    ["q=%F0%9F%A6%8A%F0%9F%A6%8A%F0%9F%A6%8A", { page: 1, per_page: 30, q: "🦊🦊🦊" }],
    ["q=%FF", { page: 1, per_page: 30, q: "%FF" }],
    ["name=a%00b", { page: 1, per_page: 30, name: "a\0b" }],
    ["q=%zz", { page: 1, per_page: 30, q: "%zz" }],
    ["sort=desc&top=7", { page: 1, per_page: 30, sort: "desc", top: "7" }],
    ["page[]=2&page[x]=3&Page=4&p%61ge%00=5", { page: 1, per_page: 30 }],
    ["unknown=1&unknown=2&__proto__=1&constructor=1", { page: 1, per_page: 30 }],
    ["&&&=&=x&page=2", { page: 2, per_page: 30 }],
    [Array.from({ length: 1_000 }, (_, index) => `x${index}=1`).join("&"), { page: 1, per_page: 30 }],
  ])("%#: %s is read by what is known of it", async (query, expected) => {
    const { status, body } = await world.get(`/api/list?${query}`);
    expect(body).toMatchObject({ query: expected });
    expect(Object.keys((body as { query: object }).query).toSorted()).toEqual(
      Object.keys(expected).toSorted(),
    );
    expect(status).toBe(200);
  });

  test.each([
    ["page=0", 'page must be a whole number from 1 to 2147483647, not "0"'],
    ["page=1e3", 'page must be a whole number from 1 to 2147483647, not "1e3"'],
    ["page=2147483648", 'page must be a whole number from 1 to 2147483647, not "2147483648"'],
    ["per_page=1001", 'per_page must be a whole number from 1 to 1000, not "1001"'],
    ["id=-1", 'id must be a whole number from 0 to 2147483647, not "-1"'],
    ["page=%201", 'page must be a whole number from 1 to 2147483647, not " 1"'],
    ["page=01", 'page must be a whole number from 1 to 2147483647, not "01"'],
    ["page=0x1", 'page must be a whole number from 1 to 2147483647, not "0x1"'],
    ["page=%00%22", 'page must be a whole number from 1 to 2147483647, not "\\u0000\\""'],
    [`page=${"9".repeat(70)}`, `page must be a whole number from 1 to 2147483647, not "${"9".repeat(60)}…"`],
    ["page=%E2%80%AE1", 'page must be a whole number from 1 to 2147483647, not "\\u{202e}1"'],
    ["page=1&page=1", "page must be given once, not 2 times"],
    ["page=&page=1", "page must be given once, not 2 times"],
    ["q=abcdef", "q is too long (maximum is 5 characters)"],
    ["q=a%00b", "q contains a NUL character: leave it out"],
    ["name=%00bcdef", "name is too long (maximum is 5 characters)"],
    ["sort=up", 'sort must be one of asc, desc, not "up"'],
    ["sort=ASC", 'sort must be one of asc, desc, not "ASC"'],
    ["top=0", 'top must be a whole number from 1 to 9999, not "0"'],
  ])("%s is refused in a sentence", async (query, error) => {
    expect(await world.get(`/api/list?${query}`)).toMatchObject({
      status: 422,
      body: { error, status: 422 },
    });
  });

  test("must say what the operation can't do without", async () => {
    expect((await world.get("/api/needy?q=")).body).toEqual({
      error: "q is missing: add it to the query",
      status: 422,
    });
  });

  test("tells apart what was written and what it stands for", async () => {
    const { body } = await world.get("/api/list?q=b&unknown=1&page=2&sort=");
    expect(body).toMatchObject({ given: { page: "2", q: "b" } });
  });
});

describe("a path", () => {
  test.each([
    ["/api/things/7/x", 200],
    ["/api/things/0/%20", 200],
    ["/api/things/2147483647/%2F", 200],
    ["/api/things/2147483648/x", 404],
    ["/api/things/99999999999/x", 404],
    ["/api/things/-1/x", 404],
    ["/api/things/07/x", 404],
    ["/api/things/7.0/x", 404],
    ["/api/things/x/x", 404],
    ["/api/things/7/%00", 404],
    ["/api/things/7/%ED%A0%80", 404],
    ["/api/things/7/", 404],
  ])("%s is %i", async (url, status) => {
    expect((await world.get(url)).status).toBe(status);
  });

  test("gives ids as numbers and names as they are", async () => {
    expect((await world.get("/api/things/7/J%C3%B6rg%2FX")).body).toEqual({ id: 7, name: "Jörg/X" });
  });
});

test.each([
  ["of an unknown kind", Type.Object({ on: Type.Boolean() }), "Nothing reads the parameter on"],
  ["with a pattern without words", Type.Object({ a: Type.String({ pattern: "x" }) }), "needs an x-rule"],
])("a parameter %s keeps the server from starting", async (_name, querystring, message) => {
  const build = serverWith((app) => {
    app.get("/api/list", { config: { access: "public" }, schema: { querystring } }, async () => "");
  });
  await expect(startWorld({ build })).rejects.toThrow(message);
});
