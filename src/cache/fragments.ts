import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** The JSON of a thing that appears in many answers. */
export interface Fragment {
  json: Buffer;
  /** Equal for equal JSON, and short. */
  digest: string;
}

export function fragmentOf(json: string): Fragment {
  return { json: Buffer.from(json), digest: hash("sha1", json, "base64url") };
}

/**
 * Fragments by a key that holds the version of the thing: what changed has another key, so nothing here is ever
 * wrong and nothing must be forgotten.
 */
export type Fragments = Pick<LRUCache<string, Fragment>, "get" | "set">;

/** The digest, the objects around it and their places in the map. */
const OVERHEAD_BYTES = 400;

export function createFragments(maxBytes = 32 * 1024 * 1024): Fragments {
  return new LRUCache<string, Fragment>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }, key) => json.length + key.length + OVERHEAD_BYTES,
  });
}
