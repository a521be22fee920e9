import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Author } from "../actor.ts";
import type { Context, Services } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { lockPermissionsShared } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { createFairQueue, type Waiter } from "../fair-queue.ts";
import * as settings from "../settings/settings.ts";
import { etagOf } from "./answers.ts";
import { caller, judgeAgain } from "./auth.ts";
import { isForemClient, mediaType, toForem } from "./forem-compat.ts";
import { claimOf, deliver, find, hold, keep, type KeptAnswer } from "./idempotency.ts";

export interface WriteResult {
  status: number;
  headers?: Record<string, string>;
  /** JSON text; empty for none. */
  body: string;
  /** The JSON text of a read, if the body differs from it: the `ETag` is that of a read. */
  representation?: string;
}

/**
 * Calls a verb as the caller of a request, and sends the answer that `show` makes of its result, which is that of the
 * actor's `run`.
 */
export type RunWrite = <Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  write: { verb: (actor: Author) => Promise<Result>; show: (result: Result) => WriteResult },
) => Promise<FastifyReply>;

/** Longer than the second after which the database looks for deadlocks, whose loser is run again. */
const LOCK_TIMEOUT = "1500ms";

/**
 * Makes the one way in which requests write. The write waits for its turn without a connection, then runs in one
 * transaction, which judges the caller again and keeps their permissions until it ends. With an `Idempotency-Key` the
 * transaction also stores the answer, if it is a success; a known request gets its stored answer, and writes nothing.
 */
export function createRunWrite({ config, db, now }: Context, { cache, renderPool }: Services): RunWrite {
  // Half of the connections, so that a burst of writes leaves reads the others.
  const queue = createFairQueue({ size: Math.max(1, Math.floor(config.databasePoolSize / 2)) });
  return async (request, reply, { verb, show }) => {
    const claim = claimOf(request);
    const replay = async () => {
      const kept = claim && (await find(db.main, claim));
      if (kept === undefined) return false;
      await judgeAgain(request, db.main);
      deliver(reply.header("idempotent-replayed", "true"), kept);
      return true;
    };
    const waiter = waiterOf(request, reply);
    let answer: KeptAnswer | undefined;
    const actor: Author = {
      by: "key",
      get user() {
        return caller(request);
      },
      now,
      settings: () => settings.cached(cache, db.main),
      isLimited: config.rateLimits,
      db: db.main,
      renderer: renderPool.for(waiter),
      run: (write) =>
        queue.run(waiter, () =>
          inTransaction(db.main, async (tx) => {
            await begin(request, tx);
            if (claim !== undefined) await hold(tx, claim);
            const result = await write(tx);
            answer = finish(request, show(result as Parameters<typeof show>[0]));
            if (claim !== undefined && answer.status < 300) await keep(tx, claim, answer);
            return result;
          }),
        ),
    };
    if (await replay()) return reply;
    try {
      await verb(actor);
    } catch (error) {
      // The first request with the key, which ran at the same time, may be the cause.
      const isRefusal = error instanceof AppError && error.code !== "unavailable";
      if (isRefusal && (await replay())) return reply;
      throw error;
    }
    if (answer === undefined) throw new Error("the verb has written nothing");
    return deliver(reply, answer);
  };
}

async function begin(request: FastifyRequest, tx: Db): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx);
  await lockPermissionsShared(tx, caller(request).id);
  await judgeAgain(request, tx);
}

function finish(request: FastifyRequest, result: WriteResult): KeptAnswer {
  const { status, headers = {}, body, representation = body } = result;
  if (body === "") return { status, headers, body };
  const shown = (text: string) => (isForemClient(request) ? toForem(text) : text);
  return {
    status,
    headers: { ...headers, "content-type": mediaType(request), etag: etagOf(shown(representation)) },
    body: shown(body),
  };
}

/** Longer than a burst of writes, shorter than clients wait. */
const MAX_WAIT_MS = 25_000;

export function requestSignal({ raw }: FastifyReply, maxWaitMs = MAX_WAIT_MS): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), maxWaitMs);
  raw.once("close", () => {
    clearTimeout(timer);
    controller.abort();
  });
  return controller.signal;
}

function waiterOf(request: FastifyRequest, reply: FastifyReply): Waiter {
  return { key: caller(request).id, signal: requestSignal(reply) };
}
