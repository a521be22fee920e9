import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Db } from "../db/connect.ts";
import { unauthorized } from "../errors.ts";

/** Whoever a key belongs to, and what that key may do. */
export interface Caller {
  id: number;
  role: "admin" | "moderator" | "member";
  keyId: number;
  readOnly: boolean;
}

/** Finds the caller of a key; undefined for a wrong one and for one whose owner is suspended. */
export type Authenticator = (key: string, db: Db) => Promise<Caller | undefined>;

/**
 * Who may use a route. `public`: everybody, unless the community is private. `key`: whoever has a
 * key. `write`: whoever has a key that isn't read-only. `admin`: whoever has a key of an admin. `open`: everybody, always. `health`: this
 * computer and whoever knows the health check token.
 */
export type Access = "public" | "key" | "write" | "admin" | "open" | "health";

declare module "fastify" {
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
export function refuseStrangers(request: FastifyRequest, access: Access, healthCheckToken?: string): void {
  if (!MAY_USE[access](request, healthCheckToken)) throw unauthorized();
}

const MAY_USE: Record<Access, (request: FastifyRequest, healthCheckToken?: string) => boolean> = {
  open: () => true,
  public: ({ inPrivate, caller }) => !inPrivate || caller !== undefined,
  key: ({ caller }) => caller !== undefined,
  write: ({ caller }) => caller?.readOnly === false,
  admin: ({ caller }) => caller?.role === "admin",
  health: mayCheckHealth,
};

/** A token decides when one is sent; without one, only this computer may ask, and not through a proxy. */
function mayCheckHealth(request: FastifyRequest, expected?: string): boolean {
  const sent = request.headers["health-check-token"];
  if (sent !== undefined) return expected !== undefined && isSame(String(sent), expected);
  const isForwarded = "forwarded" in request.headers || "x-forwarded-for" in request.headers;
  return !isForwarded && isLoopback(request.socket.remoteAddress ?? "");
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Compares in a time that says nothing about where the two differ. */
function isSame(sent: string, expected: string): boolean {
  return timingSafeEqual(digest(sent), digest(expected));
}
