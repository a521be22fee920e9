import { misspell, oneMistakeFrom } from "../corpus/misspell.ts";
import { type Random, shuffle } from "../corpus/random.ts";
import { type Article, type Corpus, hasBeginning, normalise, prose } from "./corpus.ts";
import { type Judged, type Kind, judge, rareTitleWords } from "./judged.ts";

export const quotedPhrases: Kind = {
  name: 'Phrase of one article, "quoted"',
  wanted: 40,
  derive: (corpus, random) => rarePhrases(corpus, random, (phrase) => `"${phrase}"`),
};

export const unquotedPhrases: Kind = {
  name: "Phrase of one article, unquoted",
  wanted: 40,
  derive: (corpus, random) => rarePhrases(corpus, random, (phrase) => phrase),
};

/** Of prose: no mark of Markdown in it, and no other sign. */
const PHRASE = /(?<![^\s])[A-Za-z]{3,}(?: [A-Za-z]{2,}){1,2} [A-Za-z]{3,}(?![^\s.,])/g;

/** Three or four words in a row that stand so in one article only. */
function* rarePhrases(
  { articles, phrases }: Corpus,
  random: Random,
  write: (phrase: string) => string,
): Generator<Judged> {
  for (const article of shuffle(random, articles)) {
    const found = prose(article.text).match(PHRASE);
    if (!found) continue;
    const phrase = random.pick(found);
    const sought = normalise(phrase);
    if (phrases.filter((text) => text.includes(sought)).length === 1) yield judge(write(phrase), [article]);
  }
}

/** Names that are not words of letters. */
const SIGNS: readonly RegExp[] = [
  /(?<![\w.])(?:[cg]|lib\w+)\+\+(?!\w)|(?<![\w.])[cf]#(?!\w)/gi,
  /(?<![\w.])[a-z]{2,}\.(?:js|rs|py|ts|toml|json)(?!\w)/gi,
  /(?<=\b[A-Z][\w.]* v?)\d{1,3}\.\d{1,3}(?:\.\d{1,3})?(?![\w.]*\d| ?%)/g,
  /\bCVE-\d{4}-\d{4,}\b/g,
  /(?<![\w.])[a-z]{2,}(?:_[a-z0-9]{2,})+(?!\w)/g,
  /(?<![\w.])[a-z]{2,}(?:[A-Z][a-z]+)+(?!\w)/g,
];

/** A word of more articles doesn't help to find one. */
const MOST_SHARE = 0.05;

/** Names with signs and digits, one of each form in turn; any article with it is right. */
export const identifiers: Kind = {
  name: "Name with signs: c++, node.js, 1.29, CVE-…, snake_case",
  wanted: 50,
  *derive({ articles }, random) {
    const texts = articles.map(({ slug, text }) => ({ slug, text: text.toLowerCase() }));
    const named = SIGNS.map((form) => shuffle(random, namesOf(articles, form)));
    const most = Math.max(3, articles.length * MOST_SHARE);
    for (let place = 0; named.some((names) => place < names.length); place += 1)
      for (const name of named.flatMap((names) => names.slice(place, place + 1))) {
        const sought = whole(name);
        const having = texts.filter(({ text }) => text.includes(name) && sought.test(text));
        if (having.length > 0 && having.length <= most) yield judge(name, having);
      }
  },
};

function namesOf(articles: Corpus["articles"], form: RegExp): string[] {
  return [...new Set(articles.flatMap(({ text }) => text.match(form) ?? []))].map((name) =>
    name.toLowerCase(),
  );
}

/** 1.29 also matches v1.29 and 1.29.1, but not 11.29. */
function whole(name: string): RegExp {
  return new RegExp(String.raw`(?<![\w.])v?${name.replaceAll(/[.+]/g, String.raw`\$&`)}(?!\w)`);
}

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
