import { Type } from "typebox";
import { expect, test } from "vitest";
import { BASE_URL, serverWith, worldForAll } from "../../test/world.ts";
import { linkHeader } from "./pages.ts";
import { listPage } from "./schema.ts";

const Query = Type.Object({
  q: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
  ...listPage({ default: 30, max: 100 }),
});

const world = worldForAll({
  build: serverWith((app) => {
    app.get(
      "/api/lists/:name",
      { config: { access: "public" }, schema: { querystring: Query } },
      async (request, reply) => {
        const { page } = request.query;
        const prev = page > 1 ? { page: page - 1 } : undefined;
        const next = page < 3 ? { cursor: "abc-_" } : undefined;
        const baseUrl = BASE_URL;
        return reply.headers(linkHeader({ request, baseUrl, first: { page: 1 }, prev, next })).send({});
      },
    );
    app.get("/api/nothing", { config: { access: "public" } }, async (request, reply) =>
      reply.headers(linkHeader({ request, baseUrl: BASE_URL })).send({}),
    );
  }),
});

const at = (query: string, relation: string) => `<${BASE_URL}/api/lists/x?${query}>; rel="${relation}"`;

test.each([
  ["", [at("page=1", "first"), at("cursor=abc-_", "next")]],
  ["?page=2", [at("page=1", "first"), at("page=1", "prev"), at("cursor=abc-_", "next")]],
  ["?page=3", [at("page=1", "first"), at("page=2", "prev")]],
  ["?per_page=5&cursor=old", [at("per_page=5&page=1", "first"), at("per_page=5&cursor=abc-_", "next")]],
  [
    "?q=a%20%3E%22%0D%0A,%F0%9F%A6%8A&page=3",
    [
      at("q=a+%3E%22%0D%0A%2C%F0%9F%A6%8A&page=1", "first"),
      at("q=a+%3E%22%0D%0A%2C%F0%9F%A6%8A&page=2", "prev"),
    ],
  ],
  ["?unknown=1&q=&page=3", [at("page=1", "first"), at("page=2", "prev")]],
])("the list at %j names its neighbours", async (query, links) => {
  const { headers } = await world.get(`/api/lists/x${query}`);
  expect(headers["link"]).toBe(links.join(", "));
});

test("the path stays as it was written, and the host is the site's own", async () => {
  const { headers } = await world.get("/api/lists/a%20b%3E?page=3", {
    headers: { host: "evil.example", "x-forwarded-host": "evil.example", "x-original-url": "/evil" },
  });
  expect(headers["link"]).toContain(`<${BASE_URL}/api/lists/a%20b%3E?page=1>`);
  expect(JSON.stringify(headers)).not.toContain("evil");
});

test("a list without neighbours has no header", async () => {
  expect((await world.get("/api/nothing")).headers["link"]).toBeUndefined();
});
