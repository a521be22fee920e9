import type { Db } from "../db/connect.ts";
import { type Fetched, type Pace, success } from "./outcome.ts";
import * as queries from "./queries.ts";

/** Schedules what was fetched a moment ago, to see whether it can be, as if its time had come then. */
export function scheduleFetched(
  db: Db,
  { kind, id, fetched, now, ...pace }: { kind: string; id: number; fetched: Fetched; now: Date } & Pace,
): Promise<void> {
  return queries.insertFetched(db, { kind, id, due_at: now, ...success(fetched, now, pace) });
}
