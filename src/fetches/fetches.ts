import type { Db } from "../db/connect.ts";
import { type Fetched, type Pace, success } from "./outcome.ts";
import * as queries from "./queries.ts";

/** A leased resource. */
export interface Claim extends queries.Holder {
  /** Of the last read version. */
  etag: string | undefined;
  lastModified: string | undefined;
  signal: AbortSignal;
}

/**
 * Whether the lease still holds. Ask in the transaction that writes, after locking people; it then holds until the
 * end.
 */
export const stillMine: (tx: Db, claim: Claim) => Promise<boolean> = queries.hold;

/** Schedules fetches at random moments within some seconds, to spread the load. Scheduled ones stay. */
export const schedule = queries.insert;

/** For a resource that was just fetched. */
export function scheduleFetched(
  db: Db,
  { kind, id, fetched, now, ...pace }: { kind: string; id: number; fetched: Fetched; now: Date } & Pace,
): Promise<void> {
  return queries.insertFetched(db, { kind, id, due_at: now, ...success(fetched, now, pace) });
}

/** A running fetch can't store its result any more. */
export const unschedule = queries.remove;

/** Makes fetches due at once, for an operator. */
export const refresh = queries.hasten;

export const isAnyReachedSince = queries.isAnySucceededSince;

/** The scheduled ones of these fetches by id, with how the last time went. */
export async function statusOf(db: Db, kind: string, ids: readonly number[]) {
  return new Map((await queries.find(db, kind, ids)).map((row) => [row.id, row]));
}
