import type { Context } from "../context.ts";
import type { Queue } from "../metrics/metrics.ts";
import * as queries from "./queries.ts";

/** Frequent requests cost the database nothing. */
const KEPT_MS = 5_000;

/** A monitor waits this long for the database. */
const PATIENCE_MS = 1_500;

/** Undefined when the database can't answer now. */
export function createQueueReader({ db, now }: Context): () => Promise<readonly Queue[] | undefined> {
  let kept: { figures: Promise<Queue[] | undefined>; at: number } | undefined;

  return () => {
    const at = now().getTime();
    // Also if the clock was set back.
    if (kept === undefined || Math.abs(at - kept.at) >= KEPT_MS)
      kept = { figures: inTime(queries.queues(db.main, new Date(at))), at };
    return kept.figures;
  };
}

function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS, undefined);
    void work.then(resolve, () => resolve(undefined)).then(() => clearTimeout(timer));
  });
}
