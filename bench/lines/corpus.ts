import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { corpus, type CorpusOptions } from "../corpus.ts";
import { misspell } from "../corpus/misspell.ts";
import { tagNames } from "../corpus/people.ts";
import { createRandom, type Random } from "../corpus/random.ts";
import { countWords, wordsIn } from "../corpus/word-counts.ts";
import { makeVocabulary } from "../corpus/words.ts";

/** Queries of one kind; words by the number of articles in which a search finds them. */
interface Words {
  /** In 5 to 50 % of the articles. */
  common: string[];
  /** In 0.8 to 1.2 %. */
  onePercent: string[];
  /** In 2 to 5 of 10,000 articles; a larger corpus has none as rare, so up to 0.05 % count. */
  rare: string[];
  /** Four letters with which a common word begins. */
  beginning: string[];
  /** Two common words that stand side by side in some article, in quotes. */
  phrase: string[];
  /** Common words and such in 1 %, with one mistake that makes no other word. */
  misspelt: string[];
}

export type WordKind = keyof Words;

/** The articles of a site, as far as requests are made from them. */
export interface Corpus {
  articles: number;
  seed: number;
  random: Random;
  /** The most used first. */
  tags: readonly string[];
  /** @throws Error when a corpus of this size has too few of them */
  words(kind: WordKind): readonly string[];
}

interface Options {
  articles: number;
  seed: number;
  /** Keeps the words for the next run, because counting takes seconds. */
  file?: string | undefined;
}

/** With fewer words each would be asked for too often. */
const FEWEST_WORDS = 20;

export function openCorpus({ articles, seed, file }: Options): Corpus {
  let words: Words | undefined;
  return {
    articles,
    seed,
    random: createRandom(seed),
    tags: tagNames(articles, makeVocabulary(seed)),
    words(kind) {
      words ??= readOnce(file, () => findWords(articles, seed));
      const found = words[kind];
      if (found.length >= FEWEST_WORDS) return found;
      throw new Error(
        `Only ${found.length} words of the kind "${kind}" are in ${articles} articles: use 10,000.`,
      );
    },
  };
}

function readOnce(file: string | undefined, find: () => Words): Words {
  if (file !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Words;
  const words = find();
  if (file !== undefined) writeFileSync(file, JSON.stringify(words));
  return words;
}

const FEWEST_LETTERS = 6;
const BEGINNING_LETTERS = 4;

function findWords(articles: number, seed: number): Words {
  const random = createRandom(seed);
  const counts = countWords({ articles, seed });
  const between = (from: number, to: number) => wordsIn(counts, Math.ceil(from), Math.floor(to));
  const common = between(articles * 0.05, articles * 0.5);
  const onePercent = between(articles * 0.008, articles * 0.012);
  const misspelt = long([...common, ...onePercent]).map((word) => misspell(random, word));
  return {
    common,
    onePercent,
    rare: between(2, Math.max(5, articles * 0.0005)),
    beginning: [...new Set(long(common).map((word) => word.slice(0, BEGINNING_LETTERS)))],
    phrase: findPhrases({ articles, seed }, new Set(common)),
    misspelt: misspelt.filter((word) => !counts.has(word)),
  };
}

const long = (words: readonly string[]) => words.filter(({ length }) => length >= FEWEST_LETTERS);

/** More would not make the search of each rarer than once in a second. */
const PHRASES = 1_000;

function findPhrases(options: CorpusOptions, words: ReadonlySet<string>): string[] {
  const phrases = new Set<string>();
  for (const line of corpus(options)) {
    for (const [, one = "", other = ""] of line.matchAll(/\b([a-z]+) (?=([a-z]+)\b)/g)) {
      if (words.has(one) && words.has(other)) phrases.add(`"${one} ${other}"`);
    }
    if (phrases.size >= PHRASES) break;
  }
  return [...phrases];
}
