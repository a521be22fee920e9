import { COMMON_WORDS } from "./common-words.ts";
import { createRandom, createZipf, type Random } from "./random.ts";

const VOCABULARY_SIZE = 60_000;

/** Of the words of a text, how many are everyday English. */
const COMMON_SHARE = 0.45;

const STARTS =
  "b br bl c ch cl cr d dr f fl fr g gl gr h j k kl l m n p pl pr qu r s sh sk sl sp st t th tr v w z".split(
    " ",
  );
const VOWELS = "a e i o u ai ea ee ia io oo ou".split(" ");
const ENDS = "b ck d ft g k l lm lt m n nd nk nt p r rd rk rn s sk st t x".split(" ");

/** Longest word, so that nine of them and their spaces stay within a title's 128 characters. */
const MAX_LETTERS = 12;

/** Made-up words that can be spoken, each once and none of them everyday English; the frequent ones are short. */
export function makeVocabulary(seed: number): string[] {
  const random = createRandom(seed);
  const taken = new Set(COMMON_WORDS);
  const words: string[] = [];
  while (words.length < VOCABULARY_SIZE) {
    const word = makeWord(random, words.length < 1_000 ? 2 : random.between(2, 4));
    if (word.length > MAX_LETTERS || taken.has(word)) continue;
    taken.add(word);
    words.push(word);
  }
  return words;
}

function makeWord(random: Random, syllables: number): string {
  let word = "";
  for (let count = 0; count < syllables; count += 1) word += random.pick(STARTS) + random.pick(VOWELS);
  return random.next() < 0.6 ? word + random.pick(ENDS) : word;
}

/** Draws the words of running text, rare ones rarely. */
export function createWriter(random: Random, vocabulary: readonly string[]): () => string {
  const made = createZipf(random, vocabulary.length);
  const common = createZipf(random, COMMON_WORDS.length);
  return () => {
    const word = random.next() < COMMON_SHARE ? COMMON_WORDS[common()] : vocabulary[made()];
    return word as string;
  };
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
