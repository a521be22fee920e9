import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Author } from "./actor.ts";
import type { Context, Services } from "../context.ts";
import type { Db } from "../platform/db/connect.ts";
import { lockPermissionsAlone, lockPermissionsShared, tryLockKey } from "../platform/db/locks.ts";
import { together } from "../platform/db/pipeline.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { AppError, invalid } from "../platform/errors.ts";
import { createFairQueue } from "../platform/fair-queue.ts";
import * as settings from "../platform/settings/settings.ts";
import { etagOf } from "./answers.ts";
import { caller, judgeAgain, sessionOf } from "./auth.ts";
import { isForemClient, mediaType, toForem } from "./negotiation.ts";
import type { Claim, KeptAnswer } from "./idempotency-queries.ts";
import * as queries from "./idempotency-queries.ts";

export interface WriteResult {
  status: number;
  headers?: Record<string, string>;
  body: string;
  /** Follow the body's own attributes as `warnings`. */
  warnings?: string[];
  /** The JSON text of a read, if the body differs from it: the `ETag` is that of a read. */
  representation?: string;
}

/** Longer than the second after which the database looks for deadlocks, whose loser is run again. */
const LOCK_TIMEOUT = "1500ms";

export interface Write<Result> {
  verb: (actor: Author<Result>) => Promise<Result>;
  /** May read what readers see once the transaction ends. */
  show: (result: Result, tx: Db) => WriteResult | Promise<WriteResult>;
  /** Sends another answer than that of `show`, which is stored; a repeated request has no result. */
  respond?: (result: Result | undefined) => Promise<FastifyReply>;
  /** Gets the result of a write after which the request goes on: it answers nothing, and is repeated with the request. */
  before?: (result: Result) => void;
  /** Whether it takes from the user what their other writes are allowed by, so that those end first. */
  endsAccess?: boolean;
  /** Whether answers to strangers show nothing of it. */
  unseen?: boolean;
}

export type RunWrite = ReturnType<typeof createRunWrite>;

/**
 * Makes the one way in which requests write: it calls a verb as the caller of a request, and sends the answer that
 * `show` makes of its result. The verb calls the actor's `run` once, and its result is that of `run`: the answer is made
 * in the transaction. The write waits for its turn without a connection, then runs in one transaction, which judges
 * the caller again and keeps their permissions until it ends. With an `Idempotency-Key` the transaction also stores the
 * answer; a known request gets its stored answer, and writes nothing. A refusal is thrown, so it is never stored.
 */
export function createRunWrite({ config, db, now }: Context, { cache, renderPool }: Services) {
  // Half of the connections, so that a burst of writes leaves reads the others.
  const queue = createFairQueue({ size: Math.max(1, Math.floor(config.databasePoolSize / 2)) });
  return async <Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    { verb, show, respond, before, endsAccess = false, unseen }: Write<Result>,
  ) => {
    const claim = before === undefined ? claimOf(request) : undefined;
    const replay = () => replayed(db.main, reply, { claim, respond });
    const waiter = { key: caller(request).id, signal: requestSignal(reply) };
    let answer: KeptAnswer | undefined;
    const actor: Author<Result> = {
      by: sessionOf(request) === undefined ? "key" : "session",
      get user() {
        return caller(request);
      },
      now,
      settings: () => settings.cached(cache, db),
      isLimited: config.rateLimits,
      db: db.main,
      renderer: renderPool.for(waiter),
      run: (write) =>
        queue.run(waiter, () =>
          inTransaction(db.main, { unseen }, async (tx) => {
            await begin(request, tx, endsAccess ? lockPermissionsAlone : lockPermissionsShared);
            if (claim !== undefined) await lockKey(tx, claim);
            const result = await write(tx);
            answer = finish(request, await show(result, tx));
            if (claim !== undefined) await queries.insert(tx, claim, answer);
            return result;
          }),
        ),
    };
    if (await replay()) return reply;
    let result: Result;
    try {
      result = await verb(actor);
    } catch (error) {
      // The first request with the key, which ran at the same time, may be the cause.
      const isRefusal = error instanceof AppError && error.code !== "unavailable";
      if (isRefusal && (await replay())) return reply;
      throw error;
    }
    if (answer === undefined) throw new Error("the verb has written nothing");
    // A reply that is awaited waits for its answer.
    if (before !== undefined) return before(result) as never;
    return respond === undefined ? send(reply, answer) : respond(result);
  };
}

/** Sends the stored answer to a known request again; false when there is none. */
async function replayed(
  db: Db,
  reply: FastifyReply,
  { claim, respond }: { claim: Claim | undefined; respond: Write<never>["respond"] },
): Promise<boolean> {
  const kept = claim && (await storedAnswer(db, claim));
  if (kept === undefined) return false;
  await judgeAgain(reply.request, db);
  reply.header("idempotent-replayed", "true");
  await (respond === undefined ? send(reply, kept) : respond(undefined));
  return true;
}

type LockPermissions = typeof lockPermissionsShared;

async function begin(request: FastifyRequest, tx: Db, lock: LockPermissions): Promise<void> {
  await together(lock(tx, { userId: caller(request).id, timeout: LOCK_TIMEOUT }), judgeAgain(request, tx));
}

function finish(request: FastifyRequest, result: WriteResult): KeptAnswer {
  const { status, headers = {}, body, representation = body } = result;
  if (body === "") return { status, headers, body };
  const warnings = [...request.warnings, ...(result.warnings ?? [])];
  const named = (text: string) => (isForemClient(request) ? toForem(text) : text);
  return {
    status,
    headers: { ...headers, "content-type": mediaType(request), etag: etagOf(named(representation)) },
    body: named(appendWarnings(body, warnings)),
  };
}

/** Adds warnings to the text of a body, which may be large, without parsing it. */
function appendWarnings(body: string, warnings: string[]): string {
  return warnings.length === 0 ? body : `${body.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`;
}

/** Longer than a burst of writes, shorter than clients wait. */
const MAX_WAIT_MS = 25_000;

export function requestSignal({ raw }: FastifyReply, maxWaitMs = MAX_WAIT_MS): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), maxWaitMs);
  raw.once("close", () => {
    clearTimeout(timer);
    // An abort makes an error, which an answered request needs no more.
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Undefined for a route without idempotency or a request without a key. */
function claimOf(request: FastifyRequest): Claim | undefined {
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

async function storedAnswer(db: Db, claim: Claim): Promise<KeptAnswer | undefined> {
  const stored = await queries.find(db, claim);
  if (stored !== undefined && !claim.fingerprint.equals(stored.fingerprint)) {
    throw invalid("This Idempotency-Key was sent with another request: use a new key for a new request.");
  }
  return stored;
}

/** Locks the key until the transaction ends, without waiting, so that one key can't occupy the connections. */
async function lockKey(tx: Db, claim: Claim): Promise<void> {
  if ((await tryLockKey(tx, claim.userId, claim.key)) && (await storedAnswer(tx, claim)) === undefined)
    return;
  const sentence = "A request with this Idempotency-Key is still running: try again in 1 second.";
  throw new AppError("busy", sentence, { retryAfterSeconds: 1 });
}

function send(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  reply.headers({ vary: "Accept, api-key", ...headers, "cache-control": "private, no-store" });
  return body === "" ? reply.code(status).send() : reply.code(status).send(body);
}

export { purge as purgeIdempotencyKeys, removeQuoting as forgetResponses } from "./idempotency-queries.ts";
