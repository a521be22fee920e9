import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { purgeRows } from "../db/batches.ts";
import type { Db } from "../db/connect.ts";
import { tryLockKey } from "../db/locks.ts";
import { AppError, invalid } from "../errors.ts";
import { caller } from "./auth.ts";

export interface Claim {
  userId: number;
  key: string;
  fingerprint: Buffer;
}

export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
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

/** Undefined for a route without idempotency or a request without a key. */
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

export async function find(db: Db, { userId, key, fingerprint }: Claim): Promise<KeptAnswer | undefined> {
  const kept = await db
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "status", "headers", "body"])
    .where("user_id", "=", userId)
    .where("key", "=", key)
    .executeTakeFirst();
  if (kept === undefined) return undefined;
  if (!fingerprint.equals(kept.fingerprint)) {
    throw invalid("This Idempotency-Key was sent with another request: use a new key for a new request.");
  }
  const { status, headers, body } = kept;
  return { status, headers: headers as Record<string, string>, body };
}

/**
 * Locks the key until the transaction ends. It does not wait, so that one key can't occupy the connections.
 */
export async function hold(tx: Db, claim: Claim): Promise<void> {
  if ((await tryLockKey(tx, claim.userId, claim.key)) && (await find(tx, claim)) === undefined) return;
  const sentence = "A request with this Idempotency-Key is still running: try again in 1 second.";
  throw new AppError("busy", sentence, { retryAfterSeconds: 1 });
}

export async function keep(tx: Db, { userId, key, fingerprint }: Claim, answer: KeptAnswer): Promise<void> {
  const { status, headers, body } = answer;
  await tx
    .insertInto("idempotency_keys")
    .values({ user_id: userId, key, fingerprint, status, headers: JSON.stringify(headers), body })
    .execute();
}

export function deliver(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  reply.headers({ vary: "Accept, api-key", ...headers, "cache-control": "private, no-store" });
  return body === "" ? reply.code(status).send() : reply.code(status).send(body);
}

/** An hour later than promised. Returns the number of removed keys. */
export function purge(db: Db): Promise<number> {
  return purgeRows(db, "idempotency_keys", sql`created_at < now() - interval '25 hours'`);
}
