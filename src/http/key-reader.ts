import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { networkOf } from "../limits/addresses.ts";
import type { Buckets } from "../limits/buckets.ts";
import type { Caller } from "./auth.ts";

/** Wrong keys that an address may try at once, and per second from then on. */
const GUESSES = { burst: 20, rate: 1 };

type FindCaller = (key: string) => Promise<Caller | undefined>;

/** Finds the caller of a key. An address that has tried many wrong ones is not looked up for a while. */
export function createKeyReader(
  { isLimited, buckets }: { isLimited: boolean; buckets: Buckets },
  authenticate: FindCaller,
) {
  const rightKeys = new LRUCache<string, true>({ max: 10_000 });
  /** The keys that are being tried for the first time. */
  const firstTries = new Map<string, Promise<unknown>>();

  async function callerOf(key: string, ip: string): Promise<Caller | undefined> {
    const digest = createHash("sha256").update(key).digest("base64");
    // Many requests with a new key at once are one guess, so they wait for the first.
    if (firstTries.has(digest)) await firstTries.get(digest);
    if (!isLimited || rightKeys.get(digest)) return authenticate(key);
    const guesser = `guesses ${networkOf(ip)}`;
    if (!buckets.take(guesser, GUESSES).isAllowed) return undefined;
    const caller = await tryFirst(key, digest);
    if (caller) buckets.giveBack(guesser, GUESSES);
    return caller;
  }

  async function tryFirst(key: string, digest: string): Promise<Caller | undefined> {
    const found = authenticate(key);
    const end = found.then(
      (caller) => caller && rightKeys.set(digest, true),
      () => undefined,
    );
    firstTries.set(digest, end);
    try {
      return await found;
    } finally {
      firstTries.delete(digest);
    }
  }

  return callerOf;
}
