import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { AppError, invalid } from "../errors.ts";
import { caller, judgeAgain } from "./auth.ts";
import { type Claim, find, type KeptAnswer } from "./idempotency-keys.ts";
import { isJsonType } from "./forem-compat.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A request with an `Idempotency-Key` has its effect once. Its handler writes by `runWrite`. */
    idempotent?: boolean;
  }
  interface FastifyRequest {
    /** Only of requests with an `Idempotency-Key`. */
    bodyDigest: Buffer | undefined;
  }
}

/**
 * Fingerprints the body. JSON bodies are noted when they are read; other parsers pass the bytes that identify the
 * request.
 */
export function noteBody(request: FastifyRequest, ...pieces: Buffer[]): void {
  if (request.headers["idempotency-key"] === undefined) return;
  const hash = createHash("sha256");
  for (const bytes of pieces) hash.update(bytes);
  request.bodyDigest = hash.digest();
}

/**
 * Undefined for a route without idempotency or a request without a key.
 * @throws AppError invalid for a malformed key
 */
export function claimOf(request: FastifyRequest): Claim | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined || request.routeOptions.config.idempotent !== true) return undefined;
  if (typeof key !== "string" || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalid("Idempotency-Key must be 1 to 255 printable ASCII characters");
  }
  const fingerprint = createHash("sha256")
    .update(`${request.method} ${request.url}\n`)
    .update(request.bodyDigest ?? "")
    .digest();
  return { userId: caller(request).id, key, fingerprint };
}

export function sendAgain(reply: FastifyReply, kept: KeptAnswer): FastifyReply {
  return deliver(reply.header("idempotent-replayed", "true"), kept);
}

export function deliver(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  reply.headers({ vary: "Accept, api-key", ...headers, "cache-control": "private, no-store" });
  return body === "" ? reply.code(status).send() : reply.code(status).send(body);
}

/**
 * Repeats the stored answer of a request, without calling its handler. A refusal may be caused by a concurrent
 * request with the same key, so it is checked once more.
 */
export function answeringOnce(handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function (request, reply) {
    if ((await replay(request, reply)) !== undefined) return reply;
    try {
      return await handler.call(this, request, reply);
    } catch (error) {
      const isRefusal = error instanceof AppError && error.code !== "unavailable";
      if (!isRefusal || reply.sent || (await replay(request, reply)) === undefined) throw error;
      return reply;
    }
  };
}

/** Undefined when there is no stored answer, or the body isn't read yet. */
async function replay(request: FastifyRequest, reply: FastifyReply): Promise<true | undefined> {
  const claim = claimOf(request);
  if (claim === undefined || !isBodyKnown(request)) return undefined;
  const kept = await find(request.server.db.main, claim);
  if (kept === undefined) return undefined;
  await judgeAgain(request, request.server.db.main);
  void sendAgain(reply, kept);
  return true;
}

export function isBodyKnown({ bodyDigest, headers }: FastifyRequest): boolean {
  const type = headers["content-type"];
  return bodyDigest !== undefined || type === undefined || isJsonType(type);
}
