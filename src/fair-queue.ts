import { unavailable } from "./errors.ts";

export type Key = number | string | symbol | undefined;

export interface Waiter {
  /**
   * Tasks of one key, such as a person's id, run one at a time. Those of the program have no key, and run
   * concurrently.
   */
  key: Key;
  /** Ends the wait, not a running task. */
  signal?: AbortSignal;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

interface Entry {
  key: Key;
  begin: () => void;
  refuse: () => void;
}

/** A burst of a hundred writes fits. */
const MAX_WAITING = 128;

/**
 * Runs `size` tasks at once. Keys take turns. Above `limit`, the key with the most waiting tasks loses its last one.
 */
export function createFairQueue({ size, limit = MAX_WAITING }: { size: number; limit?: number }) {
  const waiting = new Waiting();
  const busy = new Set<Key>();
  let running = 0;
  let isClosed = false;
  const isFree = (key: Key) => key === undefined || !busy.has(key);

  function occupy(key: Key): void {
    running++;
    if (key !== undefined) busy.add(key);
  }

  function leave(key: Key): void {
    running--;
    busy.delete(key);
    waiting.moveToEnd(key);
    const next = waiting.take(isFree);
    if (next === undefined) return;
    occupy(next.key);
    next.begin();
  }

  async function enter({ key, signal }: Waiter): Promise<void> {
    if (isClosed || signal?.aborted) throw unavailable();
    if (running < size && isFree(key)) return occupy(key);
    return new Promise((resolve, reject) => {
      const entry = { key, begin: resolve, refuse: () => reject(unavailable()) };
      // Without effect once the task runs.
      const giveUp = () => {
        waiting.remove(entry);
        entry.refuse();
      };
      signal?.addEventListener("abort", giveUp);
      waiting.add(entry);
      if (waiting.keyed > limit) waiting.takeLastOfLongest()?.refuse();
    });
  }

  return {
    /** @throws AppError unavailable when too many tasks wait, or the signal aborts first */
    async run<T>(waiter: Waiter, task: () => Promise<T>): Promise<T> {
      await enter(waiter);
      try {
        return await task();
      } finally {
        leave(waiter.key);
      }
    },
    close() {
      isClosed = true;
      for (let entry = waiting.take(); entry !== undefined; entry = waiting.take()) entry.refuse();
    },
  };
}

/** The key whose last turn is longest ago comes first. */
class Waiting {
  readonly #keys = new Map<Key, Set<Entry>>();
  #keyed = 0;

  get keyed(): number {
    return this.#keyed;
  }

  add(entry: Entry): void {
    const entries = this.#keys.get(entry.key) ?? new Set();
    this.#keys.set(entry.key, entries.add(entry));
    if (entry.key !== undefined) this.#keyed++;
  }

  remove(entry: Entry): void {
    const entries = this.#keys.get(entry.key);
    if (entries?.delete(entry) && entry.key !== undefined) this.#keyed--;
    if (entries?.size === 0) this.#keys.delete(entry.key);
  }

  take(isFree: (key: Key) => boolean = () => true): Entry | undefined {
    for (const [key, entries] of this.#keys) {
      const [first] = entries;
      if (first === undefined || !isFree(key)) continue;
      this.remove(first);
      this.moveToEnd(key);
      return first;
    }
    return undefined;
  }

  moveToEnd(key: Key): void {
    const entries = this.#keys.get(key);
    if (entries === undefined) return;
    this.#keys.delete(key);
    this.#keys.set(key, entries);
  }

  takeLastOfLongest(): Entry | undefined {
    const keyed = [...this.#keys].filter(([key]) => key !== undefined).map(([, entries]) => entries);
    const longest = keyed.reduce((one, other) => (other.size >= one.size ? other : one));
    const last = [...longest].at(-1);
    if (last !== undefined) this.remove(last);
    return last;
  }
}
