import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { User } from "../actor.ts";
import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { unauthorized } from "../errors.ts";

/** The owner of a key, and what that key may do. */
export interface Caller extends User {
  keyId: number;
  readOnly: boolean;
}

/** Finds the caller of a key; undefined for a wrong one, an expired one and one whose owner is suspended. */
export type Authenticator = (key: string, db: Db) => Promise<Caller | undefined>;

/**
 * Who may use a route. `public`: everybody, unless the community is private. `key`: whoever has a
 * key. `write`: whoever has a key that isn't read-only. `admin`: whoever has a key of an admin. `open`: everybody, always. `health`: this
 * computer and whoever knows the health check token. `metrics`: whoever knows the metrics token, and
 * this computer where there is none.
 */
export type Access = "public" | "key" | "write" | "admin" | "open" | "health" | "metrics";

declare module "fastify" {
  interface FastifyInstance {
    authenticate: Authenticator;
  }
  interface FastifyContextConfig {
    /** Every route must name it; the server doesn't start otherwise. */
    access?: Access;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Whether the community is private, so that nothing may be kept by a shared cache. */
    inPrivate: boolean;
  }
}

/** The caller of a route whose access is `key` or `write`. */
export function caller(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw unauthorized();
  return request.caller;
}

/** The caller, if the request came with a key that is valid. */
export function callerIfAny(request: FastifyRequest): Caller | undefined {
  return request.caller;
}

/** What the `api-key` header says; undefined when it says nothing. */
export function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers["api-key"];
  return typeof key === "string" && key !== "" ? key : undefined;
}

/** Refuses who may not use a route of this access. */
export function refuseStrangers(request: FastifyRequest, access: Access, tokens: Tokens = {}): void {
  if (!MAY_USE[access](request, tokens)) throw unauthorized();
}

/**
 * Judges the caller again. The head of a request was judged when it arrived; since then, while its body came slowly,
 * the key may have expired or been revoked, and its owner may have been suspended or given another role.
 * @throws AppError unauthorized
 */
export async function judgeAgain(request: FastifyRequest, db: Db): Promise<void> {
  request.caller = await request.server.authenticate(keyOf(request) ?? "", db);
  refuseStrangers(request, request.routeOptions.config.access ?? "write");
}

/** What monitors identify themselves by, where the operator has set it. */
type Tokens = Partial<Pick<Config, "healthCheckToken" | "metricsToken">>;

const MAY_USE: Record<Access, (request: FastifyRequest, tokens: Tokens) => boolean> = {
  open: () => true,
  public: ({ inPrivate, caller }) => !inPrivate || caller !== undefined,
  key: ({ caller }) => caller !== undefined,
  write: ({ caller }) => caller?.readOnly === false,
  admin: ({ caller }) => caller?.role === "admin",
  health: mayCheckHealth,
  metrics: mayReadMetrics,
};

/** A token decides when one is sent; without one, only this computer may ask, and not through a proxy. */
function mayCheckHealth(request: FastifyRequest, { healthCheckToken: expected }: Tokens): boolean {
  const sent = request.headers["health-check-token"];
  if (sent !== undefined) return expected !== undefined && isSame(String(sent), expected);
  return isFromHere(request);
}

/** A token that is set is asked of everybody: programs of other people may run on this computer. */
function mayReadMetrics(request: FastifyRequest, { metricsToken: expected }: Tokens): boolean {
  const sent = request.headers.authorization;
  if (sent === undefined && expected === undefined) return isFromHere(request);
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(sent ?? "") ?? [];
  return expected !== undefined && isSame(token, expected);
}

/** What proxies add, each some of it. */
const PROXY_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/** Whether a request was made on this computer, and not handed on by a proxy that runs on it. */
function isFromHere({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = PROXY_HEADERS.some((name) => name in headers);
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Compares in a time that says nothing about where the two differ. */
function isSame(sent: string, expected: string): boolean {
  return timingSafeEqual(digest(sent), digest(expected));
}
