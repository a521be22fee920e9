import { setTimeout as sleep } from "node:timers/promises";
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
    if (kept === undefined || Math.abs(at - kept.at) >= KEPT_MS) {
      const figures = queries.queues(db.main, new Date(at)).catch(() => undefined);
      kept = { figures: inTime(figures), at };
    }
    return kept.figures;
  };
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  const first = await Promise.race([work, late]);
  timer.abort();
  return first;
}
