import type { RouteShorthandOptions } from "fastify";
import type { Context } from "../context.ts";
import { answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { CACHE_HEADERS, errors, ok } from "../http/schema.ts";
import { Index } from "./schema.ts";

const EXAMPLE = indexOf("https://community.example");

const SCHEMA = {
  operationId: "getIndex",
  summary: "Get the index of the API",
  description: "The URLs that a client needs first, also of a private community.",
  tags: ["instance"],
  response: {
    200: ok(Index, { description: "The URLs.", example: EXAMPLE, headers: CACHE_HEADERS }),
    ...errors(304, 429, 500, 503),
  },
};

/** The index, also at the URL with a trailing slash. */
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
