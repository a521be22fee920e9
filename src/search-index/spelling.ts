import { grown } from "./arena.ts";
import { countBits } from "./bits.ts";
import { distanceOf, MOVED, OTHER_VOWEL } from "./distance.ts";
import type { Meant } from "./terms.ts";
import { canBeMisspelt } from "./tokens.ts";

/** A word that is not much farther than the nearest one may be meant too. */
const SLACK = 0.25;
const MAX_NEAREST = 3;
/** A person's query has fewer misspelt words. */
const MAX_CORRECTED = 8;

/** The factor of a match by a word that may be meant. */
const CORRECTED = 0.7;

/** A word of few articles may also be a misspelling, of a word of this many times as many. */
const TIMES_AS_OFTEN = 10;
const LEAST_OFTEN = 5;
const LEAST_LETTERS = 5;
const DOUBTED_WITHIN = 1;
const MAX_COUNTED = 8;

/** Words of at most this many articles may be misspellings, whose matches weigh this much. */
export interface Doubt {
  articles: number;
  factor: number;
}
export const DOUBT: Doubt = { articles: 3, factor: 0.4 };
/** Applies where no article has all words. */
export const MORE_DOUBT: Doubt = { articles: 30, factor: 0.8 };

interface Near {
  word: string;
  distance: number;
  articles: number;
}

/** The words of one length. */
interface Words {
  words: string[];
  /** `lettersOf` each word. */
  letters: Int32Array;
}

const NO_WORDS: Words = { words: [], letters: new Int32Array(0) };

/** Words are listed by this many first letters, so that those with a beginning are found. */
const FIRST_LETTERS = 2;

/** The words that others are corrected to, with the number of their articles. */
export class Vocabulary {
  readonly #articles = new Map<string, number>();
  readonly #byFirstLetters = new Map<string, string[]>();
  readonly #byLength: Words[] = [];

  set(word: string, articles: number): void {
    if (!this.#articles.has(word)) {
      const same = (this.#byLength[word.length] ??= { words: [], letters: new Int32Array(16) });
      const size = same.words.push(word);
      if (size > same.letters.length) same.letters = grown(same.letters, size);
      same.letters[size - 1] = lettersOf(word);
      const first = word.slice(0, FIRST_LETTERS);
      if (!this.#byFirstLetters.get(first)?.push(word)) this.#byFirstLetters.set(first, [word]);
    }
    this.#articles.set(word, articles);
  }

  /** 0 for a word that isn't in the vocabulary. */
  articlesOf(word: string): number {
    return this.#articles.get(word) ?? 0;
  }

  /** The most frequent words with a beginning of two letters or more. */
  beginning(beginning: string, most: number): string[] {
    const found: [word: string, articles: number][] = [];
    for (const word of this.#byFirstLetters.get(beginning.slice(0, FIRST_LETTERS)) ?? []) {
      const articles = word.startsWith(beginning) ? this.articlesOf(word) : 0;
      if (articles > 0) found.push([word, articles]);
    }
    return found
      .toSorted(([one, articles], [other, more]) => more - articles || (one < other ? -1 : 1))
      .slice(0, most)
      .map(([word]) => word);
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

/** Corrects words that no article has: each to its nearest words. */
export function corrected(
  unknown: readonly string[],
  vocabulary: Pick<Vocabulary, "near">,
): Map<string, Meant> {
  const meant = new Map<string, Meant>();
  for (const word of unknown) {
    if (!canBeMisspelt(word) || meant.size === MAX_CORRECTED) continue;
    const found = vocabulary.near(word, allowanceOf(word), 1);
    const words = nearest(found, SLACK, MAX_NEAREST);
    if (words.length > 0) meant.set(word, { words, factor: CORRECTED, isInstead: true });
  }
  return meant;
}

/**
 * Finds further meanings of words of few articles: near words of many more.
 * @param known the words with their numbers of articles
 * @param count gives the numbers of articles of other words
 */
export async function doubted(
  known: ReadonlyMap<string, number>,
  vocabulary: Pick<Vocabulary, "near">,
  { doubt, count }: { doubt: Doubt; count: (words: string[]) => Promise<number[]> },
): Promise<Map<string, Meant>> {
  const near = [...known]
    .filter(
      ([word, articles]) => articles <= doubt.articles && word.length >= LEAST_LETTERS && canBeMisspelt(word),
    )
    .slice(0, MAX_CORRECTED)
    .flatMap(([word, articles]) => {
      const least = Math.max(LEAST_OFTEN, articles * TIMES_AS_OFTEN);
      return vocabulary
        .near(word, DOUBTED_WITHIN, 1)
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
      return [word, { words: nearest(others, 0, 2), factor: doubt.factor, isInstead: false }];
    }),
  );
}

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

/** Every move of one letter by two places. */
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
