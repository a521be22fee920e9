import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

export interface Fragment {
  json: Buffer;
  /** Equal for equal JSON, and short. */
  digest: string;
}

export function fragmentOf(json: string): Fragment {
  return { json: Buffer.from(json), digest: hash("sha1", json, "base64url") };
}

/** By a key that holds the version of the thing, so no entry is ever wrong. */
export type Fragments = Pick<LRUCache<string, Fragment>, "get" | "set">;

const OVERHEAD_BYTES = 400;

export function createFragments(maxBytes = 32 * 1024 * 1024): Fragments {
  return new LRUCache<string, Fragment>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }, key) => json.length + key.length + OVERHEAD_BYTES,
  });
}
