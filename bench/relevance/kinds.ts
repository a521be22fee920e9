import { misspell } from "../corpus/misspell.ts";
import { shuffle } from "../corpus/random.ts";
import { identifiers, misspeltPairs, quotedPhrases, rarePairs, unquotedPhrases } from "./body-kinds.ts";
import { type Corpus, hasBeginning, words } from "./corpus.ts";
import { type Kind, judge, rareTitleWords } from "./judged.ts";

/** A title as it is written; of two articles with the same title either is right. */
const exactTitles: Kind = {
  name: "Exact title",
  wanted: 100,
  *derive({ articles }, random) {
    for (const { title } of shuffle(random, articles)) {
      const same = articles.filter((other) => other.title.toLowerCase() === title.toLowerCase());
      yield judge(title, same);
    }
  },
};

/** Who wrote it, and a word of its title. */
const authorAndWord: Kind = {
  name: "Author's name and a word of the title",
  wanted: 30,
  *derive({ articles, byTitleWord }, random) {
    for (const { author, title } of shuffle(random, articles)) {
      const long = words(title).filter((word) => word.length >= 5);
      if (author === "" || long.length === 0) continue;
      const word = random.pick(long);
      const having = byTitleWord.get(word) ?? [];
      yield judge(
        `${author} ${word}`,
        having.filter((article) => article.author === author),
      );
    }
  },
};

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]{2,}/gu;
const SPACED = /(?:(?!\p{Script=Latin})[\p{L}\p{M}])+(?: (?:(?!\p{Script=Latin})[\p{L}\p{M}])+)?/gu;

/** Two to four characters of a title, or up to two words where words are spaced, of scripts other than Latin. */
const otherScripts: Kind = {
  name: "Piece of a title in another script",
  wanted: 60,
  *derive({ articles }, random) {
    for (const { title } of shuffle(random, articles)) {
      const unspaced = title.match(UNSPACED);
      const spaced = unspaced ? null : (title.match(SPACED)?.filter((piece) => piece.length >= 4) ?? []);
      const runs = unspaced ?? spaced ?? [];
      if (runs.length === 0) continue;
      const chosen = random.pick(runs);
      const start = random.between(0, chosen.length - 2);
      const piece = unspaced ? chosen.slice(start, start + random.between(2, 4)) : chosen;
      yield judge(
        piece,
        articles.filter((other) => other.title.toLowerCase().includes(piece.toLowerCase())),
      );
    }
  },
};

/** One mistake in a word of few titles; what the mistake makes must not stand anywhere, nor begin a word. */
const misspelt: Kind = {
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
const prefixes: Kind = {
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
const inflected: Kind = {
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
