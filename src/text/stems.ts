import { stem } from "porter2";

/** The language whose inflections search looks through; "simple" looks for words as they are written. */
export type SearchLanguage = "english" | "simple";

const ENGLISH_WORD = /^[a-z]{3,}$/;
/** Shorter stems are other words: "going" is not about Go. */
const MIN_STEM = 3;

/** The stem of a folded word that is not its own, or undefined. */
export function otherStem(word: string, language: SearchLanguage): string | undefined {
  if (language !== "english" || !ENGLISH_WORD.test(word)) return undefined;
  const found = stem(word);
  return found === word ? undefined : found;
}

/** The token of a stem. Its sign stands in no word, so that a stem never meets a word someone typed. */
export function stemToken(stemmed: string): string {
  return `=${stemmed}`;
}

/** All tokens of rows that a folded word finds: itself, and whatever has its stem. */
export function formsOf(word: string, language: SearchLanguage): string[] {
  if (language !== "english" || !ENGLISH_WORD.test(word)) return [word];
  const found = stem(word);
  const isWordToo = found !== word && found.length >= MIN_STEM;
  return [word, stemToken(found), ...(isWordToo ? [found] : [])];
}
