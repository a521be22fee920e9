import { identifiers, quotedPhrases, unquotedPhrases } from "./body-kinds.ts";
import type { Kind } from "./judged.ts";
import { misspeltPairs, rarePairs } from "./pair-kinds.ts";
import { authorAndWord, exactTitles, otherScripts } from "./title-kinds.ts";
import { inflected, misspelt, prefixes } from "./word-kinds.ts";

/** The queries of every corpus, in the order of the table. */
export const KINDS: readonly Kind[] = [
  exactTitles,
  quotedPhrases,
  unquotedPhrases,
  authorAndWord,
  identifiers,
  misspelt,
  misspeltPairs,
  rarePairs,
  prefixes,
  inflected,
  otherScripts,
];
