// The common passwords of eight characters or more, one a line in lower case, compressed.
import { brotliCompressSync } from "node:zlib";
import { dictionary } from "@zxcvbn-ts/language-common";

const LEAST = 8;

/** Sorted, so that neighbours share their beginnings, and compress well. */
export function commonPasswords() {
  const texts = dictionary["passwords-common"].map((text) => text.normalize("NFKC").toLowerCase());
  const long = [...new Set(texts)].filter((text) => Array.from(text).length >= LEAST);
  return brotliCompressSync(long.toSorted().join("\n"));
}
