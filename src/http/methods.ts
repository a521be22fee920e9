import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import createRouter, { type HTTPMethod } from "find-my-way";
import type { Access } from "./auth.ts";
import { sendRefusal } from "./errors.ts";

/** The order of `Allow`. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const READING = ["GET", "HEAD", "OPTIONS"];

/** The routes of the server by path, which Fastify doesn't tell. */
export function createMethodTable() {
  const router = createRouter({ maxParamLength: 500 });
  return {
    add: (route: RouteOptions) => router.on(route.method as HTTPMethod, route.url, () => undefined, route),
    find: (path: string) =>
      new Map<string, RouteOptions>(
        METHODS.flatMap((method) => {
          const found = router.find(method, path);
          return found && !hasEmpty(found.params) ? [[method, found.store as RouteOptions]] : [];
        }),
      ),
  };
}

export type MethodTable = ReturnType<typeof createMethodTable>;

/** Whether a route takes the request. The router takes an empty part of a path for a parameter; we don't. */
export const isRouted = ({ is404, params }: FastifyRequest): boolean => !is404 && !hasEmpty(params ?? {});

const hasEmpty = (params: object): boolean =>
  Object.entries(params).some(([name, value]) => name !== "*" && value === "");

/** Answers OPTIONS, methods that a known path doesn't have, and unknown paths. */
export function answerUnrouted(
  table: MethodTable,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const routes = table.find(request.url.split("?", 1)[0] ?? "");
  if (routes.size === 0 || routes.has(request.method)) return sendRefusal(reply, 404);
  reply.header("allow", [...routes.keys(), "OPTIONS"].join(", "));
  const isPublic = isCrossOrigin(routes.get("GET")?.config?.access);
  if (request.method === "OPTIONS") {
    if (isPublic) allowPreflight(request, reply);
    return reply.code(204).send();
  }
  if (isPublic) allowCrossOrigin(reply);
  return sendRefusal(reply, 405);
}

/** Whether pages of other sites may read the answers of a route. */
export const isCrossOrigin = (access: Access | undefined): boolean =>
  access === "public" || access === "open";

const EXPOSED = "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Search-Match";

/** Lets pages of every site read the answer, never with credentials. */
export function allowCrossOrigin(reply: FastifyReply): void {
  reply.header("access-control-allow-origin", "*");
  reply.header("access-control-expose-headers", EXPOSED);
}

/** Lets pages of every site send requests that read. */
function allowPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const method = request.headers["access-control-request-method"];
  if (method !== undefined && !READING.includes(method)) return;
  reply.headers({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": READING.join(", "),
    "access-control-allow-headers": "Accept, If-None-Match",
    "access-control-max-age": "7200",
  });
}
