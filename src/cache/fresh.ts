import { LRUCache } from "lru-cache";
import type { Db } from "../db/connect.ts";
import { finishedWrites } from "../db/transaction.ts";

/**
 * The longest time for which a value is reused. Together with the count of writes it keeps the promise that a
 * public answer is never older than the last acknowledged write of this process, and at most a second older than
 * one of another process.
 */
const PERIOD_MS = 900;

/** For as long as a stale value is kept, whose compressed forms may serve for the next. */
const KEPT_MS = 5_000;

/** For a value whose size is not known yet, or small. */
const SMALL_BYTES = 1_000;

interface Entry {
  value: Promise<unknown>;
  /** The value, once it is loaded. */
  loaded: unknown;
  sizeOf: (value: never) => number;
  period: number;
  bytes: number;
}

/** Caches what was loaded until this process writes, or for less than a second. */
export interface Freshness {
  /**
   * The value that `load` gives, loaded at most once at a time. `load` gets the value that was loaded last for the
   * key, if that is still in memory. `sizeOf` gives the size of large values in bytes.
   */
  remember<T>(
    key: string,
    load: (previous: T | undefined) => Promise<T>,
    sizeOf?: (value: T) => number,
  ): Promise<T>;
  /** The value of a key if it is loaded and fresh. */
  recall(key: string): unknown;
  /** Takes the size of a value again, which has grown since it was loaded. */
  resize(key: string): void;
}

/**
 * Time is divided into periods, and a value that was loaded in one is stale in the next. So a value that is made
 * from a cached one needs no link to it: both become stale together.
 * @param writers whose writes make cached values stale
 * @param maxBytes the size of all cached values together
 */
export function createFreshness(writers: readonly Db[], maxBytes = 16 * 1024 * 1024): Freshness {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: KEPT_MS,
    ttlResolution: PERIOD_MS,
  });
  let purging: NodeJS.Timeout | undefined;

  /** Frees the memory of what is not asked for any more. */
  function purgeLater(): void {
    purging ??= setTimeout(() => {
      purging = undefined;
      entries.purgeStale();
      if (entries.size > 0) purgeLater();
    }, KEPT_MS).unref();
  }

  let current = { number: 0, startedAt: -Infinity, writes: 0 };

  /** The number of the current period. A write ends one, and so does time. */
  function currentPeriod(): number {
    const now = performance.now();
    let writes = 0;
    for (const db of writers) writes += finishedWrites(db);
    if (writes !== current.writes || now - current.startedAt >= PERIOD_MS)
      current = { number: current.number + 1, startedAt: now, writes };
    return current.number;
  }

  /** Notes what a value is and how large, once it is loaded. A failure is not cached. */
  async function settle(key: string, entry: Entry): Promise<void> {
    try {
      entry.loaded = await entry.value;
      if (entries.peek(key) === entry) resize(key);
    } catch {
      if (entries.peek(key) === entry) entries.delete(key);
    }
  }

  function resize(key: string): void {
    const entry = entries.peek(key);
    if (entry?.loaded === undefined) return;
    entries.set(key, { ...entry, bytes: entry.sizeOf(entry.loaded as never) + key.length });
  }

  return {
    remember<T>(
      key: string,
      load: (previous: T | undefined) => Promise<T>,
      sizeOf: (value: T) => number = () => SMALL_BYTES,
    ) {
      const known = entries.get(key);
      // Taken before loading: a write that ends meanwhile makes the value stale at once.
      const period = currentPeriod();
      if (known?.period === period) return known.value as Promise<T>;
      const value = load(known?.loaded as T | undefined);
      const entry = { value, loaded: undefined, sizeOf, period, bytes: SMALL_BYTES };
      entries.set(key, entry);
      purgeLater();
      void settle(key, entry);
      return value;
    },
    recall(key) {
      const entry = entries.get(key);
      return entry?.period === currentPeriod() ? entry.loaded : undefined;
    },
    resize,
  };
}
