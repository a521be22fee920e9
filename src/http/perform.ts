import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Databases, Db } from "../db/connect.ts";
import { lockPermissionsShared } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { etagOf } from "./answers.ts";
import { caller, judgeAgain } from "./auth.ts";
import { claimOf, deliver, isBodyKnown, sendAgain } from "./idempotency.ts";
import { hold, keep, type KeptAnswer } from "./idempotency-keys.ts";
import { mediaType } from "./media-type.ts";
import { isForemClient, toForem } from "./profile.ts";

declare module "fastify" {
  interface FastifyInstance {
    db: Databases;
  }
}

/** The answer to a change. */
export interface Answered {
  status: number;
  headers?: Record<string, string>;
  /** JSON text; empty for none. */
  body: string;
  /** What a read of the changed thing answers, when the body isn't that: the `ETag` is this one's. */
  representation?: string;
}

/** Longer than the second after which the database looks for deadlocks, whose loser is run again. */
const LOCK_TIMEOUT = "1500ms";

/**
 * Makes a change in one transaction and sends its answer. The transaction judges the caller again and keeps their
 * permissions until it ends; `change` reads the caller itself, whose role may be another by then. With an
 * `Idempotency-Key` the answer is written down in the same transaction, if it is a success; what was answered before is
 * answered again, and `change` isn't called. A deadlock runs `change` again, so it must have no effect outside the
 * database. What it must wait too long for makes it unavailable.
 */
export async function perform(
  request: FastifyRequest,
  reply: FastifyReply,
  change: (tx: Db) => Promise<Answered>,
): Promise<FastifyReply> {
  const claim = claimOf(request);
  if (claim !== undefined && !isBodyKnown(request)) throw new Error("the body was read, but never noted");
  const { answer, isReplayed } = await inTransaction(request.server.db.main, async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx);
    await lockPermissionsShared(tx, caller(request).id);
    await judgeAgain(request, tx);
    const kept = claim && (await hold(tx, claim));
    if (kept !== undefined) return { answer: kept, isReplayed: true };
    const made = finish(request, await change(tx));
    if (claim !== undefined && made.status < 300) await keep(tx, claim, made);
    return { answer: made, isReplayed: false };
  });
  return isReplayed ? sendAgain(reply, answer) : deliver(reply, answer);
}

/** The answer as it goes over the wire to this client. */
function finish(request: FastifyRequest, answered: Answered): KeptAnswer {
  const { status, headers = {}, body, representation = body } = answered;
  if (body === "") return { status, headers, body };
  const shown = (text: string) => (isForemClient(request) ? toForem(text) : text);
  return {
    status,
    headers: { ...headers, "content-type": mediaType(request), etag: etagOf(shown(representation)) },
    body: shown(body),
  };
}
