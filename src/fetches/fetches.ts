import type { Db } from "../db/connect.ts";
import * as queries from "./queries.ts";

/** The least time between two fetches of one thing, whoever asks; only an operator's command may do without. */
export const PAUSE_SECONDS = 15 * 60;

/** How it stands with something that is fetched. */
export interface FetchStatus {
  dueAt: Date;
  isRunning: boolean;
  fetchedAt: Date | undefined;
  succeededAt: Date | undefined;
  /** Since the last success. */
  failures: number;
  /** Why the last time failed, in a sentence for people; undefined after a success. */
  failure: string | undefined;
}

/**
 * Has these fetched from then on, each at some moment within so many seconds, so that many don't start at
 * once. What is scheduled already stays as it is; for another address it is unscheduled first.
 */
export function schedule(
  db: Db,
  kind: string,
  ids: readonly number[],
  due: { at: Date; withinSeconds?: number },
): Promise<void> {
  return queries.insert(db, kind, ids, { withinSeconds: 0, ...due });
}

/** Has these not fetched any more. A fetch that is under way can't write any more either. */
export function unschedule(db: Db, kind: string, ids: readonly number[]): Promise<void> {
  return queries.remove(db, kind, ids);
}

/** Has these fetched as soon as may be: 15 minutes after the last time, or at once for an operator. */
export function refresh(
  db: Db,
  kind: string,
  ids: readonly number[],
  { now, byOperator = false }: { now: Date; byOperator?: boolean },
): Promise<void> {
  return queries.hasten(db, kind, ids, { now, pauseSeconds: byOperator ? 0 : PAUSE_SECONDS });
}

/** Whether anything at all has been fetched without a fault since then. */
export function isAnyReachedSince(db: Db, since: Date): Promise<boolean> {
  return queries.isAnySucceededSince(db, since);
}

/** How it stands with each of these that is scheduled. */
export async function statusOf(
  db: Db,
  kind: string,
  ids: readonly number[],
): Promise<Map<number, FetchStatus>> {
  const rows = await queries.find(db, kind, ids);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        dueAt: row.due_at,
        isRunning: row.is_running,
        fetchedAt: row.fetched_at ?? undefined,
        succeededAt: row.succeeded_at ?? undefined,
        failures: row.failures,
        failure: row.failure ?? undefined,
      },
    ]),
  );
}
