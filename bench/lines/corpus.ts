import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tagNames } from "../corpus/people.ts";
import { createRandom, type Random } from "../corpus/random.ts";
import { countWords, wordsIn } from "../corpus/word-counts.ts";
import { makeVocabulary } from "../corpus/words.ts";

/** Words by the number of articles in which a search finds them. */
interface Words {
  /** In 5 to 50 % of the articles. */
  common: string[];
  /** In 0.8 to 1.2 %. */
  onePercent: string[];
  /** In 2 to 5 articles. */
  rare: string[];
}

export type WordKind = keyof Words;

/** The articles of a site, as far as requests are made from them. */
export interface Corpus {
  articles: number;
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

function findWords(articles: number, seed: number): Words {
  const counts = countWords({ articles, seed });
  const between = (from: number, to: number) => wordsIn(counts, Math.ceil(from), Math.floor(to));
  return {
    common: between(articles * 0.05, articles * 0.5),
    onePercent: between(articles * 0.008, articles * 0.012),
    rare: between(2, 5),
  };
}
