/** Between two looks at a worker that other work holds up. */
const MIN_WAIT_MS = 20;

/**
 * Calls `onLate` when `spent` has reached `ms`; answers that arrived while this thread was busy are read before.
 * Returns a function that cancels it.
 */
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
