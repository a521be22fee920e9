import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import type { ConsumedBy, Consumer, Events } from "./events.ts";

/** An event as its consumer gets it. */
export type Consumed<Name extends Consumer> = {
  [Type in ConsumedBy<Name>]: { id: string; type: Type; payload: Events[Type]; created_at: Date };
}[ConsumedBy<Name>];

/** The number of pieces of work that a step has done, 0 when none is left; or why it failed. */
export type Outcome = number | { failure: unknown };
export type Step = () => Promise<Outcome>;

/**
 * Repeats a step until it has nothing left to do, and returns how many pieces of work that were.
 * @param beside another step, which takes turns with the first until neither has anything left to do
 * @throws the first of the failures, after everything else is done
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
  /** Events in one transaction. */
  batch?: number;
}

/**
 * A step that handles the next events in the transaction that takes them from the outbox, so several processes may
 * consume at once. When a batch fails, it goes on with one event at a time, and the event that fails is due later.
 */
export function consume<Name extends Consumer>(
  db: Db,
  { consumer, handle, batch = 1 }: Consumption<Name>,
): Step {
  let limit = batch;
  return async function step(): Promise<Outcome> {
    let events: Consumed<Name>[] = [];
    try {
      await inTransaction(db, async (tx) => {
        await limitWaiting(tx);
        events = await take(tx, consumer, limit);
        for (const event of events) await handle(tx, event);
      });
      return events.length;
    } catch (failure) {
      const [first] = events;
      if (first === undefined) throw failure;
      if (events.length > 1) {
        limit = 1;
        return step();
      }
      await postpone(db, { consumer, eventId: first.id, seconds: pauseAfter(failure) });
      return { failure };
    }
  };
}

/** Lets a transaction fail rather than delay other work by a row that another one has locked. */
export async function limitWaiting(tx: Db): Promise<void> {
  await sql`set local lock_timeout = '2s'`.execute(tx);
}

/** How long a piece of work that has failed waits: briefly if only the database wasn't ready. */
export function pauseAfter(failure: unknown): number {
  return isPassing(failure) ? 5 : 60;
}

/** Takes the events that have been due longest and that no other process has locked. */
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
