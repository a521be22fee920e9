import type { RouteShorthandOptions } from "fastify";
import type { Context } from "../context.ts";
import { answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { CACHE_HEADERS, errors, ok } from "../http/schema.ts";
import { Index } from "./schema.ts";

const EXAMPLE = indexOf("https://community.example");

const SCHEMA = {
  operationId: "getIndex",
  summary: "The index of the API",
  description: "The addresses a client needs first. Also readable when the community is private.",
  tags: ["instance"],
  response: {
    200: ok(Index, { description: "The addresses.", example: EXAMPLE, headers: CACHE_HEADERS }),
    ...errors(304, 429, 500, 503),
  },
};

/** Also at the address with a slash at its end, which people type. */
export function indexRoute(app: App, { config: { baseUrl } }: Context): void {
  const body = JSON.stringify(indexOf(baseUrl));
  const mount = (path: string, schema: RouteShorthandOptions["schema"] & object) =>
    app.get(path, { config: { access: "open", limited: true }, schema }, (request, reply) =>
      answer(request, reply, async () => ({ body })),
    );
  mount("/api", SCHEMA);
  mount("/api/", { hide: true });
}

function indexOf(baseUrl: string): Index {
  return {
    docs: `${baseUrl}/api/docs`,
    document: `${baseUrl}/api/openapi.json`,
    search: `${baseUrl}/api/articles/search`,
    instance: `${baseUrl}/api/instance`,
  };
}
