import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Access } from "./auth.ts";
import { allowCrossOrigin, allowPreflight } from "./cors.ts";
import { sendRefusal } from "./errors.ts";

/** What the router has for one path pattern and method. */
interface Mounted {
  method: string;
  segments: string[];
  route: RouteOptions;
}

/** The order in which methods are named to clients. */
const ORDER = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Knows which methods every path has, which the router itself can't tell. */
export interface MethodTable {
  add(route: RouteOptions): void;
  /** All routes of a path. */
  find(path: string): Mounted[];
  all(): Mounted[];
}

export function createMethodTable(): MethodTable {
  const mounted: Mounted[] = [];
  return {
    add(route) {
      const segments = route.url.split("/");
      for (const method of [route.method].flat()) mounted.push({ method, segments, route });
    },
    find(path) {
      const segments = path.split("/").map(decode);
      return mounted.filter((route) => matches(route.segments, segments));
    },
    all: () => mounted,
  };
}

function matches(pattern: string[], path: (string | undefined)[]): boolean {
  if (pattern.at(-1) === "*") return pattern.slice(0, -1).every((segment, index) => segment === path[index]);
  if (pattern.length !== path.length) return false;
  return pattern.every((segment, index) => fits(segment, path[index]));
}

/** A part of a pattern is a name, or one with a parameter at its end. */
function fits(segment: string, part: string | undefined): boolean {
  const colon = segment.indexOf(":");
  if (colon === -1) return segment === part;
  return part === undefined ? colon === 0 : part.startsWith(segment.slice(0, colon)) && part.length > colon;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Whether a route takes the request. The router takes an empty part of a path for a parameter; we don't. */
export function isRouted(request: FastifyRequest): boolean {
  const params = (request.params ?? {}) as Record<string, unknown>;
  return !request.is404 && !Object.keys(params).some((name) => name !== "*" && params[name] === "");
}

/** Answers what no route took: OPTIONS, a method that a known path doesn't have, and unknown paths. */
export function answerUnrouted(
  table: MethodTable,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const routes = table.find(request.url.split("?", 1)[0] ?? "");
  const methods = new Set(routes.map(({ method }) => method));
  if (methods.size === 0 || methods.has(request.method)) return sendRefusal(reply, 404);
  methods.add("OPTIONS");
  reply.header("allow", ORDER.filter((method) => methods.has(method)).join(", "));
  const isPublic = isCrossOrigin(readingRoute(routes)?.route.config?.access);
  if (request.method === "OPTIONS") {
    if (isPublic) allowPreflight(request, reply);
    return reply.code(204).send();
  }
  if (isPublic) allowCrossOrigin(reply);
  return sendRefusal(reply, 405);
}

/** The route that takes a GET: the router prefers names to parameters, part by part. */
function readingRoute(routes: Mounted[]): Mounted | undefined {
  return routes
    .filter(({ method }) => method === "GET")
    .reduce<Mounted | undefined>((best, one) => (best && !isNearer(one, best) ? best : one), undefined);
}

function isNearer({ segments }: Mounted, other: Mounted): boolean {
  const at = segments.findIndex((segment, index) => isName(segment) !== isName(other.segments[index]));
  return at !== -1 && isName(segments[at]);
}

function isName(segment: string | undefined): boolean {
  return segment !== undefined && segment !== "*" && !segment.startsWith(":");
}

/** Whether pages of other sites may read what such a route answers. */
export function isCrossOrigin(access: Access | undefined): boolean {
  return access === "public" || access === "open";
}
