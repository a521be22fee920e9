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
export const stillMine: (tx: Db, claim: Claim) => Promise<boolean> = queries.hold;

/**
 * Schedules fetches, each at a random moment within some seconds, so that many don't start at once. A fetch that is
 * scheduled already stays as it is; for another address it is unscheduled first.
 */
export const schedule = queries.insert;

/** Schedules something that was fetched a moment ago, as if it had been due then. */
export function scheduleFetched(
  db: Db,
  { kind, id, fetched, now, ...pace }: { kind: string; id: number; fetched: Fetched; now: Date } & Pace,
): Promise<void> {
  return queries.insertFetched(db, { kind, id, due_at: now, ...success(fetched, now, pace) });
}

/** Ends the schedule of fetches. A fetch that is under way can't write any more either. */
export const unschedule = queries.remove;

/** Makes fetches due 15 minutes after the last time, or at once for an operator. */
export function refresh(
  db: Db,
  kind: string,
  ids: readonly number[],
  { now, byOperator = false }: { now: Date; byOperator?: boolean },
): Promise<void> {
  return queries.hasten(db, kind, ids, { now, pauseSeconds: byOperator ? 0 : PAUSE_SECONDS });
}

export const isAnyReachedSince = queries.isAnySucceededSince;

/** The scheduled ones of these fetches by id, with how the last time went. */
export async function statusOf(db: Db, kind: string, ids: readonly number[]) {
  return new Map((await queries.find(db, kind, ids)).map((row) => [row.id, row]));
}
