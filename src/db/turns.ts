import { unavailable } from "../errors.ts";

/** Lets so many pieces of work run at once, first come, first served. */
export interface Turns {
  /** @throws AppError unavailable when its turn doesn't come in time */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/** Longer than a burst of writes takes, shorter than clients wait. */
const PATIENCE_MS = 25_000;

/**
 * Writes wait for each other anyway, over the counts that they share. Who waits here holds no
 * connection that reads could have.
 */
export function createTurns(size: number, patienceMs = PATIENCE_MS): Turns {
  const waiting = new Set<() => void>();
  let running = 0;

  function enter(): Promise<void> {
    if (running < size) {
      running++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(unavailable());
      }, patienceMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.add(begin);
    });
  }

  /** Gives the turn to whoever waits longest. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async take(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
