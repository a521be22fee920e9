import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { prepare } from "../db/prepared.ts";
import { inTransaction } from "../db/transaction.ts";
import { type ConsumedBy, CONSUMERS, type Consumer, type Events } from "./events.ts";

export type Consumed<Name extends Consumer> = {
  [Type in ConsumedBy<Name>]: { id: string; type: Type; payload: Events[Type]; created_at: Date };
}[ConsumedBy<Name>];

export const nextDue = (consumer: Consumer): RawBuilder<Date | null> =>
  sql`(
    select due_at from outbox join events on id = event_id
    where consumer = ${consumer} and type = any(${[...CONSUMERS[consumer]]}::text[]) order by due_at limit 1
  )`;

interface Outcome {
  handled: number;
  hasMore: boolean;
  failure?: unknown;
}

export type Step = () => Promise<Outcome>;

/** Repeats a step, in turns with `beside`, until nothing is left. @throws the first failure, at the end */
export async function drain(
  step: Step,
  { signal, beside }: { signal?: AbortSignal | undefined; beside?: Step } = {},
): Promise<number> {
  const failures: unknown[] = [];
  let total = 0;
  for (let hasMore = true; hasMore;) {
    const outcome = signal?.aborted ? undefined : await step();
    const other = signal?.aborted ? undefined : await beside?.();
    for (const each of [outcome, other]) if (each?.failure !== undefined) failures.push(each.failure);
    total += outcome?.handled ?? 0;
    hasMore = outcome?.hasMore === true || other?.hasMore === true;
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

interface Consumption<Name extends Consumer> {
  consumer: Name;
  batch: number;
  handle: (tx: Db, events: Consumed<Name>[]) => Promise<void>;
}

/** Handles the next events in the transaction that takes them, so that several processes may consume. */
export function consume<Name extends Consumer>(db: Db, { consumer, handle, batch }: Consumption<Name>): Step {
  return createStep(db, {
    batch,
    take: async (tx, limit) => (await take(tx, { consumer, limit })) as Consumed<Name>[],
    handle,
    postpone: ({ id }, seconds) => postpone(db, { consumer, eventId: id, seconds }),
  });
}

interface Work<Piece> {
  batch: number;
  take: (tx: Db, limit: number) => Promise<Piece[]>;
  /** Returns true when it leaves work that is due. */
  handle: (tx: Db, pieces: Piece[]) => Promise<unknown>;
  postpone: (piece: Piece, seconds: number, failure: unknown) => Promise<void>;
}

/** When a batch fails, the step handles one piece, then two, and so on; a piece that fails is due later. */
export function createStep<Piece>(db: Db, { batch, take, handle, postpone }: Work<Piece>): Step {
  let limit = batch;
  return async function step(): Promise<Outcome> {
    let pieces: Piece[] = [];
    try {
      const leavesSome = await inTransaction(db, async (tx) => {
        // A locked row ends a step early: waiting would delay the other pieces, and requests.
        await sql`set local lock_timeout = ${sql.lit(limit > 1 ? "100ms" : "2s")}`.execute(tx);
        pieces = await take(tx, limit);
        return pieces.length > 0 && (await handle(tx, pieces));
      });
      const hasMore = leavesSome === true || pieces.length === limit;
      limit = Math.min(batch, limit * 2);
      return { handled: pieces.length, hasMore };
    } catch (failure) {
      const [first] = pieces;
      if (first === undefined) throw failure;
      if (limit > 1) {
        limit = 1;
        return step();
      }
      // The wait is short if only the database wasn't ready.
      await postpone(first, isPassing(failure) ? 5 : 60, failure);
      return { handled: 0, hasMore: true, failure };
    }
  };
}

/** Leaves the types that only newer programs know to them. */
const take = (tx: Db, { consumer, limit }: { consumer: Consumer; limit: number }) =>
  takeOf(tx, { consumer, limit, types: CONSUMERS[consumer] });

/** The longest due events that no other process has locked. */
const takeOf = prepare<{ consumer: Consumer; limit: number; types: readonly string[] }, Consumed<Consumer>>(
  (value) => sql`
    with taken as (
      delete from outbox where consumer = ${value("consumer")} and event_id in (
        select event_id from outbox join events on id = event_id
        where consumer = ${value("consumer")} and due_at <= now() and type = any(${value("types")}::text[])
        order by due_at, event_id limit ${value("limit")} for update of outbox skip locked
      ) returning event_id
    )
    select id, type, payload, created_at from taken join events on id = event_id order by id`,
);

async function postpone(
  db: Db,
  { consumer, eventId, seconds }: { consumer: string; eventId: string; seconds: number },
): Promise<void> {
  await sql`
    update outbox set due_at = now() + make_interval(secs => ${seconds})
    where consumer = ${consumer} and event_id = ${eventId}`.execute(db);
}
