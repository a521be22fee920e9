import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { User } from "../actor.ts";
import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { unauthorized } from "../errors.ts";

export interface Caller extends User {
  keyId: number;
  readOnly: boolean;
}

/** Undefined for a wrong or expired key, and for one of a suspended owner. */
export type Authenticator = (key: string, db: Db) => Promise<Caller | undefined>;

/**
 * `public`: everyone, unless the community is private. `key`: any key. `write`: a key that isn't read-only. `admin`:
 * a key of an admin. `open`: everyone, always. `health`: this computer, or the health check token. `metrics`: the
 * metrics token; without one, this computer.
 */
export type Access = "public" | "key" | "write" | "admin" | "open" | "health" | "metrics";

export function caller(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw unauthorized();
  return request.caller;
}

export function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers["api-key"];
  return typeof key === "string" && key !== "" ? key : undefined;
}

export function refuseStrangers(request: FastifyRequest, access: Access, tokens: Tokens = {}): void {
  if (!MAY_USE[access](request, tokens)) throw unauthorized();
}

/**
 * Checks the caller again: while the body came slowly, the key may have expired, and its owner may have been
 * suspended or changed roles.
 */
export async function judgeAgain(request: FastifyRequest, db: Db): Promise<void> {
  request.caller = await request.server.authenticate(keyOf(request) ?? "", db);
  refuseStrangers(request, request.routeOptions.config.access ?? "write");
}

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

/** A token decides if one is sent; otherwise only this computer may ask, and not through a proxy. */
function mayCheckHealth(request: FastifyRequest, { healthCheckToken: expected }: Tokens): boolean {
  const sent = request.headers["health-check-token"];
  if (sent !== undefined) return expected !== undefined && isSame(String(sent), expected);
  return isFromHere(request);
}

/** A configured token is always required: other users may run programs on this computer. */
function mayReadMetrics(request: FastifyRequest, { metricsToken: expected }: Tokens): boolean {
  const sent = request.headers.authorization;
  if (sent === undefined && expected === undefined) return isFromHere(request);
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(sent ?? "") ?? [];
  return expected !== undefined && isSame(token, expected);
}

/** Each proxy adds some of these. */
const PROXY_HEADER = /^(forwarded|via|x-forwarded-(for|host|proto)|x-real-ip)$/;

function isFromHere({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => PROXY_HEADER.test(name));
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** In constant time. */
function isSame(sent: string, expected: string): boolean {
  return timingSafeEqual(digest(sent), digest(expected));
}
