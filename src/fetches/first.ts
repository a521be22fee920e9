import type { Db } from "../db/connect.ts";
import { type Fetched, success } from "./outcome.ts";
import * as queries from "./queries.ts";

/** Schedules what was fetched a moment ago, to see whether it can be, as if its time had come then. */
export function scheduleFetched(
  db: Db,
  kind: string,
  id: number,
  { fetched, now, everySeconds }: { fetched: Fetched; now: Date; everySeconds: number },
): Promise<void> {
  const {
    failure: _failure,
    failures: _failures,
    ...outcome
  } = success(fetched, now, { everySeconds, jitter: 0.1 });
  return queries.insertFetched(db, { kind, id, ...outcome });
}
