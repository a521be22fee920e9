import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import { newsIn, type ViewOptions } from "./news.ts";
import { payloadOf } from "./payload.ts";
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

/**
 * Queues a delivery for each endpoint that wants to be told of what has happened, and returns how many
 * events that was about. Any number of processes may do so at once: an event's task goes in the
 * transaction of its deliveries.
 * @throws the first of the failures, after everything else is done
 */
export async function fanOut(options: FanOut): Promise<number> {
  const failures: unknown[] = [];
  let total = 0;
  while (!options.signal?.aborted && (await queries.hasDue(options.db))) {
    const outcome = await fanOutOne(options);
    // Another process has the rest.
    if (outcome === "none") break;
    if (typeof outcome === "object") failures.push(outcome.failure);
    else total += 1;
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

async function fanOutOne({ db, baseUrl, now }: FanOut): Promise<"none" | "done" | { failure: unknown }> {
  let task: queries.Task | undefined;
  try {
    await inTransaction(db, async (tx) => {
      task = await queries.lockNext(tx);
      if (task === undefined) return;
      await queries.remove(tx, task.event_id);
      await tellEndpoints(tx, task, { baseUrl, now: now() });
    });
    return task === undefined ? "none" : "done";
  } catch (failure) {
    if (task === undefined) throw failure;
    await queries.postpone(db, task.event_id, isPassing(failure) ? WAITED_SECONDS : POSTPONED_SECONDS);
    return { failure };
  }
}

async function tellEndpoints(tx: Db, task: queries.Task, options: ViewOptions): Promise<void> {
  const news = newsIn(task);
  const ownerId = await news?.ownerId(tx);
  if (news === undefined || ownerId === undefined) return;
  const { event } = news;
  const endpointIds = await subjectQueries.subscribed(tx, ownerId, event);
  const data = endpointIds.length > 0 ? await news.data(tx, options) : undefined;
  if (data === undefined) return;
  const payload = payloadOf({ event, at: task.created_at, data });
  for (const endpointId of endpointIds) {
    await enqueue(tx, { endpointId, eventId: task.event_id, event, payload }, options.now);
  }
}
