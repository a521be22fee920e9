import { misspell, oneMistakeFrom } from "../corpus/misspell.ts";
import { type Random, shuffle } from "../corpus/random.ts";
import { type Article, type Corpus, hasBeginning } from "./corpus.ts";
import { judge, type Kind, rareTitleWords } from "./judged.ts";

/** The correct word must be this many times as frequent as its misspelling. */
const TIMES_AS_MANY = 10;

/** One mistake in a word of few titles, rather one that stands somewhere, beside another word of such a title. */
export const misspeltPairs: Kind = {
  name: "Misspelt word and a right one of a title",
  wanted: 60,
  *derive(corpus, random) {
    const counts = countArticles(corpus);
    for (const { word, articles } of rareTitleWords(corpus, random, 5)) {
      const other = anotherWord(random, articles, word);
      const known = shuffle(random, oneMistakeFrom(word)).filter((wrong) => counts.has(wrong));
      const wrong = known.find((each) => !isBeginning(word, each)) ?? misspell(random, word);
      const most = (counts.get(word) ?? 0) / TIMES_AS_MANY;
      if (wrong === word || other === undefined || (counts.get(wrong) ?? 0) > most) continue;
      if (haveBoth(corpus, wrong, other)) continue;
      yield judge(`${wrong} ${other}`, withWords(articles, other));
    }
  },
};

/** A word of few titles that is one mistake away from a common one, beside a misspelt word of such a title. */
export const rarePairs: Kind = {
  name: "Rare word like a common one, and a misspelt one",
  wanted: 40,
  *derive(corpus, random) {
    const counts = countArticles(corpus);
    for (const { word, articles } of rareTitleWords(corpus, random, 4)) {
      const common = (counts.get(word) ?? 0) * TIMES_AS_MANY;
      const isLikeOne = oneMistakeFrom(word).some(
        (other) => (counts.get(other) ?? 0) >= common && !isBeginning(word, other),
      );
      const other = isLikeOne ? anotherWord(random, articles, word) : undefined;
      if (other === undefined) continue;
      const wrong = misspell(random, other);
      if (wrong !== other && !hasBeginning(corpus, wrong))
        yield judge(`${word} ${wrong}`, withWords(articles, other));
    }
  },
};

/** In how many articles each word stands. */
function countArticles({ phrases }: Corpus): Map<string, number> {
  const counts = new Map<string, number>();
  for (const phrase of phrases)
    for (const word of new Set(phrase.split(" "))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function anotherWord(random: Random, [article]: readonly Article[], word: string): string | undefined {
  const words = [...(article?.titleWords ?? [])].filter((other) => /^[a-z]{5,}$/.test(other));
  return shuffle(random, words).find((other) => other !== word);
}

function withWords(articles: readonly Article[], word: string): Article[] {
  return articles.filter(({ titleWords }) => titleWords.has(word));
}

function haveBoth({ phrases }: Corpus, one: string, other: string): boolean {
  return phrases.some((phrase) => phrase.includes(` ${one} `) && phrase.includes(` ${other} `));
}

function isBeginning(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}
