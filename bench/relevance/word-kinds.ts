import { misspell } from "../corpus/misspell.ts";
import { type Corpus, hasBeginning } from "./corpus.ts";
import { judge, type Kind, rareTitleWords } from "./judged.ts";

/** One mistake in a word of few titles; what the mistake makes must not stand anywhere, nor begin a word. */
export const misspelt: Kind = {
  name: "Misspelt word of a title",
  wanted: 60,
  *derive(corpus, random) {
    for (const { word, articles } of rareTitleWords(corpus, random, 5)) {
      const wrong = misspell(random, word);
      if (wrong !== word && !hasBeginning(corpus, wrong)) yield judge(wrong, articles);
    }
  },
};

/** The beginning of a word of few titles. */
export const prefixes: Kind = {
  name: "Beginning of a word of a title",
  wanted: 40,
  *derive(corpus, random) {
    for (const { word } of rareTitleWords(corpus, random, 6)) {
      const beginning = word.slice(0, random.between(4, word.length - 2));
      const having = withWord(corpus, (other) => other.startsWith(beginning));
      if (having.length <= 3) yield judge(beginning, having);
    }
  },
};

/** A word of few titles in its other number; no title has it in that form. */
export const inflected: Kind = {
  name: "Plural for singular, and the reverse",
  wanted: 40,
  *derive(corpus, random) {
    for (const { word, articles } of rareTitleWords(corpus, random, 4)) {
      const other = otherNumber(word);
      if (other !== undefined && hasWord(corpus, other) && !corpus.byTitleWord.has(other))
        yield judge(other, articles);
    }
  },
};

/** By English rules; undefined where they would need a dictionary. */
function otherNumber(word: string): string | undefined {
  if (/(ss|us|is|[aeiou]s)$/.test(word)) return undefined;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s")) return word.slice(0, -1);
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(x|ch|sh|z)$/.test(word) ? `${word}es` : `${word}s`;
}

function hasWord({ words }: Corpus, word: string): boolean {
  return words.includes(word);
}

function withWord({ articles }: Corpus, matches: (word: string) => boolean) {
  return articles.filter(({ titleWords }) => [...titleWords].some(matches));
}
