import { LRUCache } from "lru-cache";
import { tooOften } from "./actions.ts";
import { networkOf } from "./networks.ts";

export interface Allowance {
  rate: number;
  burst: number;
}

export type Taken = ReturnType<typeof describe>;

export type Buckets = ReturnType<typeof createBuckets>;

/** No announced wait is longer, even at a rate of 0. */
const DAY_SECONDS = 86_400;

/** Token buckets in the memory of one process. The clock is monotonic. */
export function createBuckets(clock: () => number = () => performance.now(), maxClients = 50_000) {
  // It takes the memory of all its entries at once.
  let lru: LRUCache<string, { tokens: number; filledAt: number }> | undefined;

  function fill(client: string, { rate, burst }: Allowance) {
    const now = clock();
    const buckets = (lru ??= new LRUCache({ max: maxClients }));
    const bucket = buckets.get(client) ?? { tokens: burst, filledAt: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1_000) * rate);
    bucket.filledAt = now;
    buckets.set(client, bucket);
    return bucket;
  }

  return {
    /** Tells whether there is a token, and takes none. */
    look(client: string, allowance: Allowance): Taken {
      const { tokens } = fill(client, allowance);
      return describe(tokens, allowance, tokens >= 1);
    },
    take(client: string, allowance: Allowance): Taken {
      const bucket = fill(client, allowance);
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) bucket.tokens -= 1;
      return describe(bucket.tokens, allowance, isAllowed);
    },
    /** Returns the token of a request that cost nothing. */
    giveBack(client: string, allowance: Allowance): Taken {
      const bucket = fill(client, allowance);
      bucket.tokens = Math.min(allowance.burst, bucket.tokens + 1);
      return describe(bucket.tokens, allowance, true);
    },
  };
}

function describe(tokens: number, { rate, burst }: Allowance, isAllowed: boolean) {
  return {
    isAllowed,
    remaining: Math.floor(tokens),
    resetSeconds: secondsFor(burst - tokens, rate),
    retryAfterSeconds: isAllowed ? 0 : Math.max(1, secondsFor(1 - tokens, rate)),
  };
}

/** A person types no faster. */
const TYPING: Allowance = { rate: 10, burst: 10 };

/** Counts a look-up while a reader types. @throws AppError rate_limited */
export function takeTyped(buckets: Buckets, kind: string, address: string): void {
  const taken = buckets.take(`${kind} ${networkOf(address)}`, TYPING);
  if (!taken.isAllowed) throw tooOften(taken.retryAfterSeconds);
}

export const secondsFor = (tokens: number, rate: number): number =>
  Math.min(DAY_SECONDS, Math.ceil(tokens / rate)) || 0;
