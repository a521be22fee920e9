import { LRUCache } from "lru-cache";

/**
 * JSON text of things that appear in many answers, by a key that holds the version of the thing:
 * what changed has another key, so nothing here is ever wrong and nothing must be forgotten.
 */
export type Fragments = Pick<LRUCache<string, string>, "get" | "set">;

export function createFragments(maxBytes = 64 * 1024 * 1024): Fragments {
  return new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (text, key) => 2 * (text.length + key.length) + 100,
  });
}
