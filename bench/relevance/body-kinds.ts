import { type Random, shuffle } from "../corpus/random.ts";
import type { Corpus } from "./corpus.ts";
import { type Judged, judge, type Kind } from "./judged.ts";
import { normalise, prose } from "./text.ts";

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
