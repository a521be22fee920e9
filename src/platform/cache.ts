import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "./db/connect.ts";
import { finishedWrites } from "./db/transaction.ts";

/** With the lag of its server, an answer is at most a second older than another process's last write. */
const PERIOD_MS = 900;

/** Stale values stay this long: the next may be the same, in parts or as a whole. */
const KEPT_MS = 60_000;
const MAX_BYTES = 16 * 1024 * 1024;
const SMALL_BYTES = 1_000;
const smallSize = () => SMALL_BYTES;

interface Entry {
  value: Promise<unknown>;
  loaded: unknown;
  sizeOf: (value: never) => number;
  moment: Moment;
  bytes: number;
}

/** Time is divided into periods; `writes` have ended until then. */
interface Moment {
  period: number;
  writes: number;
}

type Make<T> = (previous: T | undefined) => T;

interface PutOptions<T> {
  moment: Moment;
  sizeOf?: (value: T) => number;
}

interface MemoOptions<T> {
  sizeOf?: (value: T) => number;
  /** Set for values that no request writes. */
  outlivesWrites?: boolean | undefined;
}

const STALE = { ttl: KEPT_MS, ttlAutopurge: true, ttlResolution: PERIOD_MS };
const bytesOf = ({ bytes }: Entry) => bytes;

const momentOf = (writers: readonly Db[], periodMs: number): Moment => ({
  period: Math.floor(performance.now() / periodMs),
  writes: writers.reduce((sum, db) => sum + finishedWrites(db), 0),
});

const isFresh = ({ moment }: Entry, { period, writes }: Moment, outlivesWrites = false) =>
  moment.period === period && (outlivesWrites || moment.writes === writes);

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** A value of one period is stale in the next. The writes of `writers` make values stale. */
export function createResponseCache(
  writers: readonly Db[],
  { maxBytes = MAX_BYTES, lagMs = 0 }: { maxBytes?: number; lagMs?: number | undefined } = {},
) {
  const entries = new LRUCache<string, Entry>({ ...STALE, maxSize: maxBytes, sizeCalculation: bytesOf });
  const current = () => momentOf(writers, PERIOD_MS - lagMs);

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
    /** `load` runs once at a time for a key, and gets its previous value if that is still in memory. */
    memoize<T>(
      key: string,
      load: (previous: T | undefined) => Promise<T>,
      { sizeOf = smallSize, outlivesWrites }: MemoOptions<T> = {},
    ): Promise<T> {
      const known = entries.get(key);
      // Taken before loading: a write meanwhile makes the value stale.
      const moment = current();
      if (known && isFresh(known, moment, outlivesWrites)) return known.value as Promise<T>;
      const value = load(known?.loaded as T | undefined);
      const entry = { value, loaded: undefined, sizeOf, moment, bytes: SMALL_BYTES };
      entries.set(key, entry);
      void settle(key, entry);
      return value;
    },
    get(key: string, { outlivesWrites }: Pick<MemoOptions<never>, "outlivesWrites"> = {}): unknown {
      const entry = entries.get(key);
      return entry && isFresh(entry, current(), outlivesWrites) ? entry.loaded : undefined;
    },
    moment: current,
    /** Keeps a value that was made out of memory since that moment. */
    put<T>(key: string, make: Make<T>, { moment, sizeOf = smallSize }: PutOptions<T>): T {
      const loaded = make(entries.get(key)?.loaded as T | undefined);
      const bytes = sizeOf(loaded) + key.length;
      entries.set(key, { value: Promise.resolve(loaded), loaded, sizeOf, moment, bytes });
      return loaded;
    },
    resize,
  };
}

export interface Fragment {
  json: Buffer;
  /** Equal for equal JSON, and short. */
  digest: string;
  /** The version and the year that it was made for, where neither the key nor the digest says it. */
  version?: string;
  year?: number;
}

export const fragmentOf = (json: string): Fragment => ({
  json: Buffer.from(json),
  digest: hash("sha1", json, "base64url"),
});

/** Keys last: a reader compares versions. Summaries stand under numbers, which are found faster than texts. */
export type Fragments = Pick<LRUCache<string | number, Fragment>, "get" | "set" | "clear">;

const OVERHEAD_BYTES = 400;
const LEAST_BYTES = 32 * 1024 * 1024;

/** The share of the memory for search: the more articles it holds, the more summaries are asked for. */
const SHARE_OF_SEARCH = 0.25;

export function createFragments(searchBytes = 0): Fragments {
  return new LRUCache<string | number, Fragment>({
    maxSize: Math.max(LEAST_BYTES, SHARE_OF_SEARCH * searchBytes),
    sizeCalculation: ({ json }, key) => json.length + String(key).length + OVERHEAD_BYTES,
  });
}
