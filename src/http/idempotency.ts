import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { invalid } from "../errors.ts";
import { caller } from "./auth.ts";
import type { Claim, KeptAnswer } from "./idempotency-keys.ts";

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

export function deliver(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  reply.headers({ vary: "Accept, api-key", ...headers, "cache-control": "private, no-store" });
  return body === "" ? reply.code(status).send() : reply.code(status).send(body);
}
