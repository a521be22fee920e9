import type { Db } from "../db/connect.ts";
import { type Fetched, type Pace, success } from "./outcome.ts";
import * as queries from "./queries.ts";

export {
  isAnySucceededSince as isAnyReachedSince,
  hasten as refresh,
  insert as schedule,
  hold as stillMine,
  remove as unschedule,
} from "./queries.ts";

export interface Claim extends queries.Holder {
  /** Of the last read version. */
  etag: string | undefined;
  lastModified: string | undefined;
  signal: AbortSignal;
}

export function scheduleFetched(
  db: Db,
  { kind, id, fetched, now, ...pace }: { kind: string; id: number; fetched: Fetched; now: Date } & Pace,
): Promise<void> {
  return queries.insertFetched(db, { kind, id, ...success(fetched, now, pace) });
}

/** The scheduled ones of these fetches by id, with how the last time went. */
export async function statusOf(db: Db, kind: string, ids: readonly number[]) {
  return new Map((await queries.find(db, kind, ids)).map((row) => [row.id, row]));
}
