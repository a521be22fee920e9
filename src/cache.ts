import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "./db/connect.ts";
import { finishedWrites } from "./db/transaction.ts";

/** The longest reuse of a value: an answer is at most a second older than the last write of another process. */
const PERIOD_MS = 900;

/** Stale values stay this long: the next may be the same, in parts or as a whole. */
const KEPT_MS = 60_000;

const SMALL_BYTES = 1_000;

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

interface MemoOptions<T> {
  sizeOf?: (value: T) => number;
  /** For what requests don't write. */
  outlivesWrites?: boolean | undefined;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/**
 * A value of one period is stale in the next, and with it all that is made from it.
 * @param writers their writes make values stale
 */
export function createResponseCache(writers: readonly Db[], maxBytes = 16 * 1024 * 1024) {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    ttlResolution: PERIOD_MS,
  });
  const current = (): Moment => ({
    period: Math.floor(performance.now() / PERIOD_MS),
    writes: writers.reduce((sum, db) => sum + finishedWrites(db), 0),
  });
  const isFresh = ({ moment }: Entry, { period, writes }: Moment, outlivesWrites = false) =>
    moment.period === period && (outlivesWrites || moment.writes === writes);

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
      { sizeOf = () => SMALL_BYTES, outlivesWrites }: MemoOptions<T> = {},
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
    /** Only a fresh value. */
    get(key: string, { outlivesWrites }: Pick<MemoOptions<never>, "outlivesWrites"> = {}): unknown {
      const entry = entries.get(key);
      return entry && isFresh(entry, current(), outlivesWrites) ? entry.loaded : undefined;
    },
    resize,
  };
}

export interface Fragment {
  json: Buffer;
  /** Equal for equal JSON, and short. */
  digest: string;
}

export function fragmentOf(json: string): Fragment {
  return { json: Buffer.from(json), digest: hash("sha1", json, "base64url") };
}

/**
 * The version of the thing stands in the key, so that the entry fits, or is the digest of an entry under a lasting key,
 * which fits only while the reader finds the same version in the database.
 */
export type Fragments = Pick<LRUCache<string, Fragment>, "get" | "set">;

const OVERHEAD_BYTES = 400;

export function createFragments(maxBytes = 32 * 1024 * 1024): Fragments {
  return new LRUCache<string, Fragment>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }, key) => json.length + key.length + OVERHEAD_BYTES,
  });
}
