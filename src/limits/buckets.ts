import { LRUCache } from "lru-cache";

/** What one client may do: so many at once, regained at so many per second. */
export interface Allowance {
  rate: number;
  burst: number;
}

/** What came of taking one from a bucket. */
export interface Taken {
  isAllowed: boolean;
  remaining: number;
  /** Until the bucket is full again. */
  resetSeconds: number;
  /** Until there is one to take; 0 when there is. */
  retryAfterSeconds: number;
}

/** Token buckets of many clients, in memory: exact within one process. */
export interface Buckets {
  take(client: string, allowance: Allowance): Taken;
  /** Takes back what `take` took, for a request that cost nothing. */
  giveBack(client: string, allowance: Allowance): Taken;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** The longest time that is told to anybody, also when the rate is 0. */
const DAY_SECONDS = 86_400;

/**
 * @param clock milliseconds that never run backwards
 * @param maxClients how many are remembered; whoever was away longest is forgotten first
 */
export function createBuckets(clock: () => number = () => performance.now(), maxClients = 50_000): Buckets {
  const buckets = new LRUCache<string, Bucket>({ max: maxClients });

  function fill(client: string, { rate, burst }: Allowance): Bucket {
    const now = clock();
    const known = buckets.get(client);
    if (known === undefined) {
      const full = { tokens: burst, filledAt: now };
      buckets.set(client, full);
      return full;
    }
    known.tokens = Math.min(burst, known.tokens + ((now - known.filledAt) / 1_000) * rate);
    known.filledAt = now;
    return known;
  }

  return {
    take(client, allowance) {
      const bucket = fill(client, allowance);
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) bucket.tokens -= 1;
      return describe(bucket.tokens, allowance, isAllowed);
    },
    giveBack(client, allowance) {
      const bucket = fill(client, allowance);
      bucket.tokens = Math.min(allowance.burst, bucket.tokens + 1);
      return describe(bucket.tokens, allowance, true);
    },
  };
}

function describe(tokens: number, { rate, burst }: Allowance, isAllowed: boolean): Taken {
  return {
    isAllowed,
    remaining: Math.floor(tokens),
    resetSeconds: secondsFor(burst - tokens, rate),
    retryAfterSeconds: isAllowed ? 0 : Math.max(1, secondsFor(1 - tokens, rate)),
  };
}

/** Whole seconds in which so many tokens are regained. */
export function secondsFor(tokens: number, rate: number): number {
  return Math.min(DAY_SECONDS, Math.ceil(tokens / rate)) || 0;
}
