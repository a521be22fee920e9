import { readFileSync, readlinkSync } from "node:fs";

/** The shortest wait between two looks at a worker that other work holds up. */
const MIN_WAIT_MS = 20;

/** Calls `onLate` when `spent` reaches `ms`, after answers that have arrived. Returns how to cancel it. */
export function startDeadline(ms: number, spent: () => number, onLate: () => void): () => void {
  let isCancelled = false;
  let timer: NodeJS.Timeout;
  const look = () => {
    if (isCancelled) return;
    if (spent() >= ms) onLate();
    else wait();
  };
  const wait = () => {
    timer = setTimeout(() => setImmediate(look), Math.max(ms - spent(), MIN_WAIT_MS));
  };
  wait();
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}

export function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/** This thread's folder in `/proc`; undefined where there is none. */
export function ownThread(): string | undefined {
  try {
    return `/proc/${readlinkSync("/proc/thread-self")}`;
  } catch {
    return undefined;
  }
}

/** A thread gets at least this share of a machine that is busy with other work. */
const LEAST_SHARE = 1 / 15;

/** The processor time of a thread from now on, and at least a share of the time on the wall. */
export function watch(thread: string | undefined): () => number {
  const before = processorMs(thread);
  const elapsedMs = stopwatch();
  return () => Math.max(processorMs(thread) - before, elapsedMs() * LEAST_SHARE);
}

function processorMs(thread: string | undefined): number {
  if (thread === undefined) return 0;
  try {
    const [nanoseconds] = readFileSync(`${thread}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}
