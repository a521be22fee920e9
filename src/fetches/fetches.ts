import type { Db } from "../db/connect.ts";
import { type Fetched, type Pace, PAUSE_SECONDS, success } from "./outcome.ts";
import * as queries from "./queries.ts";

/** Something to fetch, which is this process's own for a while. */
export interface Claim extends queries.Holder {
  /** The validators of the version that was read last. */
  etag: string | undefined;
  lastModified: string | undefined;
  /** Aborted well before the lease ends. */
  signal: AbortSignal;
}

/**
 * Whether the result of a fetch may still be written: false when another process has taken over, or when it was
 * unscheduled. To be asked in the transaction that writes, after it has locked people; until that ends no other
 * process takes over.
 */
export function stillMine(tx: Db, claim: Claim): Promise<boolean> {
  return queries.hold(tx, claim);
}

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
 * Schedules fetches, each at a random moment within some seconds, so that many don't start at once. A fetch that is
 * scheduled already stays as it is; for another address it is unscheduled first.
 */
export function schedule(
  db: Db,
  kind: string,
  ids: readonly number[],
  due: { at: Date; withinSeconds?: number },
): Promise<void> {
  return queries.insert(db, kind, ids, { withinSeconds: 0, ...due });
}

/** Schedules something that was fetched a moment ago, as if it had been due then. */
export function scheduleFetched(
  db: Db,
  { kind, id, fetched, now, ...pace }: { kind: string; id: number; fetched: Fetched; now: Date } & Pace,
): Promise<void> {
  return queries.insertFetched(db, { kind, id, due_at: now, ...success(fetched, now, pace) });
}

/** Ends the schedule of fetches. A fetch that is under way can't write any more either. */
export function unschedule(db: Db, kind: string, ids: readonly number[]): Promise<void> {
  return queries.remove(db, kind, ids);
}

/** Makes fetches due 15 minutes after the last time, or at once for an operator. */
export function refresh(
  db: Db,
  kind: string,
  ids: readonly number[],
  { now, byOperator = false }: { now: Date; byOperator?: boolean },
): Promise<void> {
  return queries.hasten(db, kind, ids, { now, pauseSeconds: byOperator ? 0 : PAUSE_SECONDS });
}

export function isAnyReachedSince(db: Db, since: Date): Promise<boolean> {
  return queries.isAnySucceededSince(db, since);
}

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
