import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { stem as englishStem } from "porter2";
import { fold } from "../../content/text/fold.ts";
import { locate } from "../../platform/program-files.ts";
import {
  codeOf,
  type Language,
  languageOfCode,
  type SearchLanguage,
} from "../../platform/text/search-languages.ts";

type Stemmer = (word: string) => string;

const load = createRequire(import.meta.url);
const stemmers = new Map<Language, Stemmer>();

function stemmerOf(language: Exclude<Language, "english">): Stemmer {
  let stemmer = stemmers.get(language);
  if (stemmer === undefined) {
    const loaders = load("./stemmers.cjs") as Record<typeof language, () => Stemmer>;
    stemmers.set(language, (stemmer = loaders[language]()));
  }
  return stemmer;
}

const ENGLISH_WORD = /^[a-z]{3,}$/;
const WORD = /^\p{L}[\p{L}\p{M}]{2,}$/u;
/** Shorter stems are other words: "going" is not about Go. */
const MIN_STEM = 3;

/**
 * The token of a word's stem; the sign is in no word, so it never equals a typed one. Stems of other languages than English
 * have their language before them: "notes" is not an inflection of "not" because it is one in French.
 * @param word folded
 * @param spelt in lower case, with its accents
 */
function stemToken(language: Language, word: string, spelt: string): string | undefined {
  if (language === "english") return ENGLISH_WORD.test(word) ? `=${englishStem(word)}` : undefined;
  if (!WORD.test(word)) return undefined;
  return `=${codeOf(language)}:${fold(stemmerOf(language)(spelt))}`;
}

/** The token of the stem that a word has beside itself in a row. An English word that is its own stem has none. */
export function ownStem(language: SearchLanguage, word: string, spelt: string): string | undefined {
  const token = language === "simple" ? undefined : stemToken(language, word, spelt);
  return token === `=${word}` ? undefined : token;
}

export function languageOfStem(bytes: Buffer, from: number): Language {
  const code = bytes[from + 3] === COLON ? bytes.toString("latin1", from + 1, from + 3) : "en";
  return languageOfCode(code) as Language;
}

const COLON = ":".charCodeAt(0);

/** The tokens that a word of a query is looked up as: first itself. */
export function formsOf(word: string, languages: readonly SearchLanguage[], spelt = word): string[] {
  const forms = [word];
  for (const language of languages) {
    const token = language === "simple" ? undefined : stemToken(language, word, spelt);
    if (token === undefined) continue;
    forms.push(token);
    const stem = token.slice(1);
    if (language === "english" && stem !== word && stem.length >= MIN_STEM) forms.push(stem);
  }
  return forms;
}

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
