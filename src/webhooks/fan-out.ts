import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import { newsIn, type ViewOptions } from "./news.ts";
import { payloadOf } from "./payload.ts";
import type { NewDelivery } from "./delivery-queries.ts";
import { enqueue } from "./queue.ts";
import * as subjectQueries from "./subject-queries.ts";
import * as queries from "./task-queries.ts";

/** An event that nothing can be made of is left alone for so long, so that the others don't wait for it. */
const POSTPONED_SECONDS = 60;
/** One for which only the database wasn't ready. */
const WAITED_SECONDS = 5;

interface FanOut {
  db: Db;
  baseUrl: string;
  now: () => Date;
  signal?: AbortSignal;
}

/** So many events in one transaction, which costs more than each of them. */
const BATCH = 20;

/**
 * Queues a delivery for each endpoint that wants to be told of what has happened, and returns how many
 * events that was about. Any number of processes may do so at once: an event's task goes in the
 * transaction of its deliveries.
 * @throws the first of the failures, after everything else is done
 */
export async function fanOut(options: FanOut): Promise<number> {
  const { db } = options;
  const failures: unknown[] = [];
  let [total, limit] = [0, BATCH];
  while (!options.signal?.aborted && (await queries.hasDue(db))) {
    const { tasks, failure } = await fanOutSome(options, limit);
    const [first] = tasks;
    // Another process has the rest.
    if (first === undefined) break;
    if (failure === undefined) total += tasks.length;
    // From here on one at a time, to find the one that nothing can be made of.
    else if (tasks.length > 1) limit = 1;
    else {
      failures.push(failure);
      await queries.postpone(db, first.event_id, isPassing(failure) ? WAITED_SECONDS : POSTPONED_SECONDS);
    }
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

/** Does some of them; with a failure none of them is done. */
async function fanOutSome(
  { db, baseUrl, now }: FanOut,
  limit: number,
): Promise<{ tasks: queries.Task[]; failure?: unknown }> {
  let tasks: queries.Task[] = [];
  try {
    await inTransaction(db, async (tx) => {
      await queries.limitWaiting(tx);
      tasks = await queries.lockNext(tx, limit);
      await queries.remove(tx, tasks);
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

async function deliveriesOf(tx: Db, task: queries.Task, options: ViewOptions): Promise<NewDelivery[]> {
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
