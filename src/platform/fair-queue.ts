import { unavailable } from "./errors.ts";

export type Key = number | string | symbol | undefined;

export interface Waiter {
  /** Tasks of one key, such as a person's id, run one at a time; those without a key, concurrently. */
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

/** Runs `size` tasks at once. Keys take turns. Above `limit`, the longest key loses its last task. */
export function createFairQueue({ size, limit = MAX_WAITING }: { size: number; limit?: number }) {
  const waiting = createWaiting();
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
    waiting.passTurn(key);
    const next = waiting.all().find((entry) => isFree(entry.key));
    if (next === undefined) return;
    waiting.remove(next);
    waiting.passTurn(next.key);
    occupy(next.key);
    next.begin();
  }

  async function enter({ key, signal }: Waiter): Promise<void> {
    if (isClosed || signal?.aborted) throw unavailable();
    if (running < size && isFree(key)) return occupy(key);
    return new Promise((resolve, reject) => {
      const entry = { key, begin: resolve, refuse: () => reject(unavailable()) };
      // Has no effect once the task runs.
      signal?.addEventListener("abort", () => waiting.refuse(entry));
      waiting.add(entry);
      const keyed = waiting.all().filter((each) => each.key !== undefined);
      if (keyed.length > limit) waiting.refuse(lastOfLongest(keyed));
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
      for (const entry of waiting.all()) waiting.refuse(entry);
    },
  };
}

/** The key whose last turn is longest ago comes first. */
function createWaiting() {
  let entries: Entry[] = [];
  const remove = (entry: Entry) => (entries = entries.filter((each) => each !== entry));
  return {
    all: () => entries,
    add: (entry: Entry) => entries.push(entry),
    remove,
    refuse(entry: Entry | undefined): void {
      if (entry === undefined) return;
      remove(entry);
      entry.refuse();
    },
    passTurn(key: Key): void {
      const isOther = (entry: Entry) => entry.key !== key;
      entries = [...entries.filter(isOther), ...entries.filter((entry) => !isOther(entry))];
    },
  };
}

function lastOfLongest(entries: Entry[]): Entry | undefined {
  const counts = new Map<Key, number>();
  for (const { key } of entries) counts.set(key, (counts.get(key) ?? 0) + 1);
  const longest = Math.max(...counts.values());
  return entries.findLast(({ key }) => counts.get(key) === longest);
}
