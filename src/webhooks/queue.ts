import { randomUUID } from "node:crypto";
import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import type { NewDelivery } from "./delivery-queries.ts";
import * as queries from "./delivery-queries.ts";
import { newsIn, type ViewOptions } from "./event-data.ts";
import { payloadOf } from "./payload.ts";
import * as secretQueries from "./secret-queries.ts";
import * as subjectQueries from "./subject-queries.ts";
import * as taskQueries from "./task-queries.ts";

/** The pause of an event whose deliveries can't be written, so that the others don't wait for it. */
const POSTPONED_SECONDS = 60;
/** The same where only the database wasn't ready. */
const WAITED_SECONDS = 5;

/** Events in one transaction, which costs more than each of them. */
const BATCH = 20;

interface FanOut {
  db: Db;
  baseUrl: string;
  now: () => Date;
  signal?: AbortSignal;
}

/**
 * Queues a delivery of each event for each endpoint that subscribes to it, and returns the number of events. Several
 * processes may do so at once: the task of an event is deleted in the transaction of its deliveries.
 * @throws the first of the failures, after everything else is done
 */
export async function fanOut(options: FanOut): Promise<number> {
  const { db } = options;
  const failures: unknown[] = [];
  let [total, limit] = [0, BATCH];
  while (!options.signal?.aborted && (await taskQueries.hasDue(db))) {
    const { tasks, failure } = await fanOutSome(options, limit);
    const [first] = tasks;
    // Another process has the rest.
    if (first === undefined) break;
    if (failure === undefined) total += tasks.length;
    // From here on one at a time, to find the event that fails.
    else if (tasks.length > 1) limit = 1;
    else {
      failures.push(failure);
      await taskQueries.postpone(db, first.event_id, isPassing(failure) ? WAITED_SECONDS : POSTPONED_SECONDS);
    }
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

/** Fans out some events; with a failure none of them. */
async function fanOutSome(
  { db, baseUrl, now }: FanOut,
  limit: number,
): Promise<{ tasks: taskQueries.Task[]; failure?: unknown }> {
  let tasks: taskQueries.Task[] = [];
  try {
    await inTransaction(db, async (tx) => {
      await taskQueries.limitWaiting(tx);
      tasks = await taskQueries.lockNext(tx, limit);
      await taskQueries.remove(tx, tasks);
      const options = { baseUrl, now: now() };
      const deliveries: NewDelivery[] = [];
      for (const task of tasks) deliveries.push(...(await deliveriesOf(tx, task, options)));
      for (const delivery of deliveries) await enqueue(tx, delivery, options.now);
    });
    return { tasks };
  } catch (failure) {
    if (tasks.length === 0) throw failure;
    return { tasks, failure };
  }
}

async function deliveriesOf(tx: Db, task: taskQueries.Task, options: ViewOptions): Promise<NewDelivery[]> {
  const news = newsIn(task);
  const ownerId = await news?.ownerId(tx);
  if (news === undefined || ownerId === undefined) return [];
  const { event } = news;
  const { event_id: eventId } = task;
  const endpointIds = await subjectQueries.subscribed(tx, ownerId, { event, eventId });
  const data = endpointIds.length > 0 ? await news.data(tx, options) : undefined;
  if (data === undefined) return [];
  const payload = payloadOf({ event, at: task.created_at, data });
  return endpointIds.map((endpointId) => ({ endpointId, eventId, event, payload }));
}

/**
 * Queues a delivery and returns its id; undefined when the endpoint has one of this event, is gone, or belongs to a
 * person who is suspended. A delivery for a disabled endpoint fails at once and is sent when the endpoint is enabled.
 * While a transaction locks the endpoint, the delivery waits for its outcome.
 */
export async function enqueue(tx: Db, delivery: queries.NewDelivery, now: Date): Promise<string | undefined> {
  const id = await queries.insert(tx, { ...delivery, webhookId: `msg_${randomUUID()}` }, now);
  if (id !== undefined) await queries.giveUpDisabled(tx, delivery.endpointId, now);
  return id;
}

/**
 * Makes a delivery due now. One that was over has all its attempts ahead of it again, and keeps the `webhook-id` by
 * which receivers know it. The caller has locked its endpoint, which isn't disabled.
 */
export function sendAgain(tx: Db, { id }: { id: string }, now: Date): Promise<queries.DeliveryRow> {
  return queries.makeDue(tx, id, now);
}

const KEPT_DAYS = 30;

/** Few enough that no write waits for the deletion of a busy day. */
const PURGE_BATCH = 5_000;

/**
 * Deletes old deliveries, among them those that wait for an owner who is suspended, and secrets that are no longer
 * valid; returns the number of deliveries.
 */
export async function purge(db: Db, now: Date): Promise<number> {
  await secretQueries.removeOver(db, now);
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  for (let total = 0; ;) {
    const purged = await queries.removeBefore(db, before, PURGE_BATCH);
    total += purged;
    if (purged < PURGE_BATCH) return total;
  }
}
