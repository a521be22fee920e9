import { grown } from "./arena.ts";
import { distanceOf, MOVED, OTHER_VOWEL } from "./distance.ts";
import { formsOf, stopWordsOf } from "./stemming.ts";
import type { Meant } from "./terms.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";
import { canBeMisspelt } from "./tokens.ts";

/** A word that is not much farther than the nearest one may be meant too. */
const SLACK = 0.25;
const MAX_NEAREST = 3;
/** A person's query has fewer misspelt words. */
const MAX_CORRECTED = 8;

/** The factor of a match by a word that a misspelt one is read as. */
const CORRECTED = 0.7;

/** A word of few articles may also be a misspelling, of a word of this many times as many. */
const TIMES_AS_OFTEN = 10;
const LEAST_OFTEN = 5;
const LEAST_LETTERS = 5;
const DOUBTED_WITHIN = 1;
const MAX_COUNTED = 8;

interface Near {
  word: string;
  distance: number;
  articles: number;
}

interface Words {
  words: string[];
  letters: Int32Array;
}

const NO_WORDS: Words = { words: [], letters: new Int32Array(0) };

/** The words that others are corrected to, with the number of their articles. */
export class Vocabulary {
  readonly #articles = new Map<string, number>();
  readonly #byFirstLetter = new Map<string, string[]>();
  readonly #byLength: Words[] = [];

  set(word: string, articles: number): void {
    if (!this.#articles.has(word)) {
      const same = (this.#byLength[word.length] ??= { words: [], letters: new Int32Array(16) });
      const size = same.words.push(word);
      if (size > same.letters.length) same.letters = grown(same.letters, size);
      same.letters[size - 1] = lettersOf(word);
      const first = word.charAt(0);
      if (!this.#byFirstLetter.get(first)?.push(word)) this.#byFirstLetter.set(first, [word]);
    }
    this.#articles.set(word, articles);
  }

  articlesOf(word: string): number {
    return this.#articles.get(word) ?? 0;
  }

  /** Beginnings of words that differ from this one in a letter behind the first; the longest first, then the most frequent. */
  nearBeginnings(beginning: string, most: number): string[] {
    const found = new Map<string, number>();
    for (const word of this.#byFirstLetter.get(beginning.charAt(0)) ?? []) {
      const near = nearBeginning(beginning, word);
      if (near !== undefined) found.set(near, (found.get(near) ?? 0) + this.articlesOf(word));
    }
    return [...found]
      .filter(([, articles]) => articles > 0)
      .toSorted(([one, articles], [other, more]) => other.length - one.length || more - articles)
      .slice(0, most)
      .map(([near]) => near);
  }

  /** The words within a distance, of at least this many articles; the nearest first, then the most frequent. */
  near(word: string, within: number, least: number): Near[] {
    const found: Near[] = [];
    const letters = lettersOf(word);
    // A replaced letter changes two bits.
    const mostBits = 2 * Math.floor(within / OTHER_VOWEL);
    const reach = Math.max(1, Math.floor(within));
    for (let length = word.length - reach; length <= word.length + reach; length++) {
      const { words, letters: others } = this.#byLength[length] ?? NO_WORDS;
      for (let at = 0; at < words.length; at++) {
        if (countBits(letters ^ (others[at] as number)) > mostBits) continue;
        const other = words[at] as string;
        const distance = distanceOf(word, other, within);
        const articles = distance <= within ? this.articlesOf(other) : 0;
        if (articles >= least && other !== word) found.push({ word: other, distance, articles });
      }
    }
    if (within >= MOVED) {
      for (const other of moves(word)) {
        const articles = this.#articles.get(other) ?? 0;
        if (articles < least || found.some(({ word: known }) => known === other)) continue;
        found.push({ word: other, distance: MOVED, articles });
      }
    }
    return found.toSorted(
      (one, other) =>
        one.distance - other.distance || other.articles - one.articles || (one.word < other.word ? -1 : 1),
    );
  }
}

/** The beginning of a word that becomes the typed one by a letter more, less or other, or by two that are swapped. */
function nearBeginning(typed: string, word: string): string | undefined {
  let at = 1;
  while (at < typed.length && typed[at] === word[at]) at++;
  if (at === typed.length) return undefined;
  const [same, other, rest] = [typed.slice(0, at), word.slice(at, at + 1), typed.slice(at + 1)];
  const swapped = rest.slice(0, 1) + typed.slice(at, at + 1) + rest.slice(1);
  return [swapped, other + rest, other + typed.slice(at), rest]
    .map((end) => same + end)
    .find((near) => near.length >= typed.length - 1 && word.startsWith(near));
}

/** Corrects words that no article has: each to its nearest words. */
export function corrected(
  unknown: readonly string[],
  vocabulary: Pick<Vocabulary, "near">,
  language: SearchLanguage = "simple",
): Map<string, Meant> {
  const meant = new Map<string, Meant>();
  const stopWords = stopWordsOf(language);
  for (const word of unknown) {
    if (!canBeMisspelt(word) || meant.size === MAX_CORRECTED) continue;
    const found = vocabulary.near(word, allowanceOf(word), 1).filter((near) => !stopWords.has(near.word));
    const words = nearest(found, SLACK, MAX_NEAREST);
    // An inflection of a word that articles have is not misspelt.
    const stem = stemOf(word, language);
    if (stem !== undefined && words.some((near) => stemOf(near, language) === stem)) continue;
    if (words.length > 0) meant.set(word, { words, factor: CORRECTED, isInstead: true, apart: [] });
  }
  return meant;
}

/**
 * Finds words that may be meant beside words of few articles: near ones of many more.
 * @param few the words with their numbers of articles
 * @param count gives the numbers of articles of other words
 */
export async function doubted(
  few: ReadonlyMap<string, number>,
  vocabulary: Pick<Vocabulary, "near">,
  {
    factor,
    count,
    language = "simple",
  }: { factor: number; count: (words: string[]) => Promise<number[]>; language?: SearchLanguage },
): Promise<Map<string, Meant>> {
  const stopWords = stopWordsOf(language);
  const near = [...few]
    .filter(([word]) => word.length >= LEAST_LETTERS && canBeMisspelt(word))
    .slice(0, MAX_CORRECTED)
    .flatMap(([word, articles]) => {
      const least = Math.max(LEAST_OFTEN, articles * TIMES_AS_OFTEN);
      return vocabulary
        .near(word, DOUBTED_WITHIN, 1)
        .filter((near) => !stopWords.has(near.word))
        .slice(0, MAX_COUNTED)
        .map((other) => ({ word, least, other }));
    });
  if (near.length === 0) return new Map();
  const counts = await count(near.map(({ other }) => other.word));
  const often = near.filter(({ least }, at) => (counts[at] as number) >= least);
  const words = [...new Set(often.map(({ word }) => word))];
  return new Map(
    words.map((word) => {
      const others = often.filter((each) => each.word === word).map(({ other }) => other);
      return [word, { words: nearest(others, 0, 2), factor, isInstead: false, apart: [] }];
    }),
  );
}

/** The pairs of words that a word may have been put together of: "opensource". Short words are not in the vocabulary. */
export function splitsOf(word: string, vocabulary: Pick<Vocabulary, "articlesOf">): [string, string][] {
  if (!canBeMisspelt(word)) return [];
  const letters = Array.from(word);
  return letters
    .slice(0, -3)
    .map((_, at): [string, string] => [letters.slice(0, at + 2).join(""), letters.slice(at + 2).join("")])
    .filter(
      (parts) =>
        parts.some((part) => vocabulary.articlesOf(part) > 0) &&
        parts.every((part) => vocabulary.articlesOf(part) > 0 || /^.{2}$/su.test(part)),
    );
}

const stemOf = (word: string, language: SearchLanguage) =>
  formsOf(word, [language]).find((form) => form.startsWith("="));

function nearest(found: readonly Near[], slack: number, most: number): string[] {
  const farthest = (found[0]?.distance ?? 0) + slack;
  return found
    .filter(({ distance }) => distance <= farthest)
    .slice(0, most)
    .map(({ word }) => word);
}

/** The distance within which words are corrected: captcha is not read as catch. */
function allowanceOf({ length }: string): number {
  if (length <= 3) return 0;
  if (length <= 5) return 1;
  if (length <= 7) return 1.5;
  return length <= 10 ? 2 : 2.5;
}

function moves(word: string): string[] {
  const letters = Array.from(word);
  return letters.flatMap((letter, from) => {
    const others = letters.toSpliced(from, 1);
    return [from - 2, from + 2]
      .filter((to) => to >= 0 && to < letters.length)
      .map((to) => others.toSpliced(to, 0, letter).join(""));
  });
}

/** A bit for each letter; others share the bits. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** Counts the ones of a 32-bit number (Warren, Hacker's Delight, 5-1). */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
