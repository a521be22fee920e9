import { readFileSync } from "node:fs";
import { locate } from "../../platform/program-files.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";

type Words = ReadonlySet<string>;

/** Words that say little beside others, folded, by language. */
const LISTS: ReadonlyMap<string, Words> = new Map(
  readFileSync(locate("../assets/stop-words.txt"), "utf8")
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.split(" "))
    .map(([language = "", ...words]) => [language, new Set(words)]),
);

/** Those of English for a language without a list. */
export const stopWordsOf = (language: SearchLanguage): Words =>
  LISTS.get(language) ?? (LISTS.get("english") as Words);

/**
 * The stop words among the words of a query: those of the site's language, and where two others are stop words of one
 * language, these. So "dos" is none in "dos attack", though it is one in Portuguese. Letters prove no language: "C", "D".
 */
export function stopWordsIn(words: readonly string[], site: SearchLanguage): Words {
  const found = new Set(words.filter((word) => stopWordsOf(site).has(word)));
  const others = [...new Set(words)].filter((word) => !found.has(word));
  for (const list of LISTS.values()) {
    const inList = others.filter((word) => list.has(word));
    if (inList.filter((word) => word.length > 1).length > 1) for (const word of inList) found.add(word);
  }
  return found;
}
