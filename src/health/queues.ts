import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import type { Queue } from "../metrics/gauges.ts";
import * as queries from "./queries.ts";

/** How long figures are good enough, so that asking often costs the database nothing. */
const KEPT_MS = 5_000;

/** How long a monitor waits for the database, its connection included, while it has the rest to tell. */
const PATIENCE_MS = 1_500;

/** The lengths of all queues; undefined when the database can't tell them now. */
export function createQueueReader({ db, now }: Context): () => Promise<readonly Queue[] | undefined> {
  let kept: { figures: Promise<Queue[] | undefined>; at: number } | undefined;

  return () => {
    const at = now().getTime();
    // Also when the clock was set back.
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
