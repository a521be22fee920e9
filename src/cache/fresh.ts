import { AsyncLocalStorage } from "node:async_hooks";
import { LRUCache } from "lru-cache";
import type { Db } from "../db/connect.ts";
import { endedTransactions } from "../db/transaction.ts";

/**
 * How long an answer may be given again. Together with the forgetting below it keeps the promise
 * that a public answer is never older than the last acknowledged write of this process, and at
 * most a second older than one of another process.
 */
const LIFETIME_MS = 900;

interface Entry {
  value: Promise<unknown>;
  writes: number;
  loadedAt: number;
  bytes: number;
}

const UNDECIDED = Promise.resolve();

/** Remembers what was loaded until this process writes, or for less than a second. */
export interface Freshness {
  /**
   * The value that `load` gives, loaded at most once at a time. `sizeOf` says how many bytes the
   * value holds, for those that are large.
   */
  remember<T>(key: string, load: () => Promise<T>, sizeOf?: (value: T) => number): Promise<T>;
}

/**
 * @param writers whose transactions make what is remembered old
 * @param maxBytes what all remembered values together may hold
 */
export function createFreshness(writers: readonly Db[], maxBytes = 32 * 1024 * 1024): Freshness {
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });

  /** What is being loaded by the code that asks. */
  const loading = new AsyncLocalStorage<Entry>();

  function writesSoFar(): number {
    return writers.reduce((sum, db) => sum + endedTransactions(db), 0);
  }

  function isFresh(entry: Entry): boolean {
    return entry.writes === writesSoFar() && performance.now() - entry.loadedAt < LIFETIME_MS;
  }

  function start<T>(key: string, load: () => Promise<T>, sizeOf: (value: T) => number): Promise<T> {
    // Both are taken before loading: a write that ends meanwhile makes the value old at once.
    const writes = writesSoFar();
    const entry: Entry = { value: UNDECIDED, writes, loadedAt: performance.now(), bytes: 1_000 };
    const value = loading.run(entry, load);
    entry.value = value;
    entries.set(key, entry);
    void settle(value);
    return value;

    async function settle(loading: Promise<T>): Promise<void> {
      try {
        const bytes = sizeOf(await loading) + key.length;
        if (entries.peek(key) === entry) entries.set(key, { ...entry, bytes });
      } catch {
        if (entries.peek(key) === entry) entries.delete(key);
      }
    }
  }

  return {
    remember<T>(key: string, load: () => Promise<T>, sizeOf: (value: T) => number = () => 1_000) {
      const entry = entries.get(key);
      if (!entry || !isFresh(entry)) return start(key, load, sizeOf);
      // What is made from something remembered is as old as that.
      const outer = loading.getStore();
      if (outer) outer.loadedAt = Math.min(outer.loadedAt, entry.loadedAt);
      return entry.value as Promise<T>;
    },
  };
}
