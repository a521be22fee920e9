import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import type { ConsumedBy, Consumer, Events } from "./events.ts";

export type Consumed<Name extends Consumer> = {
  [Type in ConsumedBy<Name>]: { id: string; type: Type; payload: Events[Type]; created_at: Date };
}[ConsumedBy<Name>];

type Outcome = number | { failure: unknown };
export type Step = () => Promise<Outcome>;

/**
 * Repeats a step until nothing is left, and returns the number of tasks.
 * @param beside another step, in turns with the first
 * @throws the first failure, at the end
 */
export async function drain(
  step: Step,
  { signal, beside }: { signal?: AbortSignal | undefined; beside?: Step } = {},
): Promise<number> {
  const failures: unknown[] = [];
  let total = 0;
  for (;;) {
    const outcome = signal?.aborted ? 0 : await step();
    const other = signal?.aborted ? 0 : ((await beside?.()) ?? 0);
    for (const each of [outcome, other]) if (typeof each === "object") failures.push(each.failure);
    if (typeof outcome === "number") total += outcome;
    if (outcome === 0 && other === 0) break;
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

interface Consumption<Name extends Consumer> {
  consumer: Name;
  handle: (tx: Db, event: Consumed<Name>) => Promise<void>;
  batch?: number;
}

/**
 * A step that handles the next events in the transaction that takes them from the outbox, so several processes may
 * consume at once.
 */
export function consume<Name extends Consumer>(db: Db, { consumer, handle, batch }: Consumption<Name>): Step {
  return createStep(db, {
    batch,
    take: (tx, limit) => take(tx, consumer, limit),
    handle,
    postpone: ({ id }, seconds) => postpone(db, { consumer, eventId: id, seconds }),
  });
}

interface Work<Piece> {
  batch?: number | undefined;
  /** Locks the pieces that have been due longest. */
  take: (tx: Db, limit: number) => Promise<Piece[]>;
  handle: (tx: Db, piece: Piece) => Promise<void>;
  postpone: (piece: Piece, seconds: number, failure: unknown) => Promise<void>;
}

/** When a batch fails, the step goes on with one piece at a time, and the piece that fails is due later. */
export function createStep<Piece>(db: Db, { batch = 1, take, handle, postpone }: Work<Piece>): Step {
  let limit = batch;
  return async function step(): Promise<Outcome> {
    let pieces: Piece[] = [];
    try {
      await inTransaction(db, async (tx) => {
        // Rather fail and come back than delay the others by a row that another transaction has locked.
        await sql`set local lock_timeout = '2s'`.execute(tx);
        pieces = await take(tx, limit);
        for (const piece of pieces) await handle(tx, piece);
      });
      return pieces.length;
    } catch (failure) {
      const [first] = pieces;
      if (first === undefined) throw failure;
      if (pieces.length > 1) {
        limit = 1;
        return step();
      }
      // Briefly if only the database wasn't ready.
      await postpone(first, isPassing(failure) ? 5 : 60, failure);
      return { failure };
    }
  };
}

/** The longest due events that no other process has locked. */
async function take<Name extends Consumer>(tx: Db, consumer: Name, limit: number): Promise<Consumed<Name>[]> {
  const { rows } = await sql<Consumed<Name>>`
    with taken as (
      delete from outbox where consumer = ${consumer} and event_id in (
        select event_id from outbox where consumer = ${consumer} and due_at <= now()
        order by due_at, event_id limit ${limit} for update skip locked
      ) returning event_id
    )
    select id, type, payload, created_at from taken join events on id = event_id order by id`.execute(tx);
  return rows;
}

async function postpone(
  db: Db,
  { consumer, eventId, seconds }: { consumer: string; eventId: string; seconds: number },
): Promise<void> {
  await sql`
    update outbox set due_at = now() + make_interval(secs => ${seconds})
    where consumer = ${consumer} and event_id = ${eventId}`.execute(db);
}
