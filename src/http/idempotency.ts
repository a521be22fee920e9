import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { AppError, invalid } from "../errors.ts";
import { caller, judgeAgain } from "./auth.ts";
import { type Claim, find, type KeptAnswer } from "./idempotency-keys.ts";
import { isJsonType } from "./forem-compat.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether a request with an `Idempotency-Key` has its effect once. Its handler makes its change by `perform`. */
    idempotent?: boolean;
  }
  interface FastifyRequest {
    /** Of the body as it was sent; only of requests with an `Idempotency-Key`. */
    bodyDigest: Buffer | undefined;
  }
}

/**
 * Notes what the body of a request is, by which it is known again. JSON bodies are noted when they
 * are read; whoever reads a body of another type notes the bytes that matter of it, in their order.
 */
export function noteBody(request: FastifyRequest, ...pieces: Buffer[]): void {
  if (request.headers["idempotency-key"] === undefined) return;
  const hash = createHash("sha256");
  for (const bytes of pieces) hash.update(bytes);
  request.bodyDigest = hash.digest();
}

/**
 * The claim of a request that came with a key to a route that heeds it; undefined for every other.
 * @throws AppError invalid when the key isn't one
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

/** Sends an answer that was given before. */
export function sendAgain(reply: FastifyReply, kept: KeptAnswer): FastifyReply {
  return deliver(reply.header("idempotent-replayed", "true"), kept);
}

/** Sends the answer to a change. Only this caller gets it, and nobody keeps it. */
export function deliver(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  reply.headers({ vary: "Accept, api-key", ...headers, "cache-control": "private, no-store" });
  return body === "" ? reply.code(status).send() : reply.code(status).send(body);
}

/**
 * Answers a request that has been answered before as it was then, without asking its handler. Of two
 * at once the second may be refused because of what the first did meanwhile, so that after a refusal
 * it looks once more.
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

/** Answers as before if the request is known by its key; undefined when it isn't, or its body isn't read yet. */
async function replay(request: FastifyRequest, reply: FastifyReply): Promise<true | undefined> {
  const claim = claimOf(request);
  if (claim === undefined || !isBodyKnown(request)) return undefined;
  const kept = await find(request.server.db.main, claim);
  if (kept === undefined) return undefined;
  await judgeAgain(request, request.server.db.main);
  void sendAgain(reply, kept);
  return true;
}

/** Whether everything of the request is read that it is known by. */
export function isBodyKnown({ bodyDigest, headers }: FastifyRequest): boolean {
  const type = headers["content-type"];
  return bodyDigest !== undefined || type === undefined || isJsonType(type);
}
