/** A word that stands in a known number of articles, and nowhere else. */
export interface Planted {
  word: string;
  /** The number of articles that contain it. */
  articlesOf(total: number): number;
  /** Words with the same draw stand in different articles: each takes its share behind those listed before it. */
  draw: number;
}

/** Words of a known number of articles, for measurements. None is the beginning of another. */
export const PLANTED: readonly Planted[] = [
  { word: "planted20", articlesOf: (total) => Math.min(20, total), draw: 1 },
  { word: "planted1pct", articlesOf: percent(1), draw: 2 },
  { word: "planted5pct", articlesOf: percent(5), draw: 3 },
  { word: "planted15pct", articlesOf: percent(15), draw: 4 },
  { word: "again15pct", articlesOf: percent(15), draw: 5 },
  { word: "never5pct", articlesOf: percent(5), draw: 6 },
  { word: "meets5pct", articlesOf: percent(5), draw: 6 },
];

/** Two words that always stand together, mostly the wrong way round: few of the articles with both hold the phrase. */
export const PLANTED_PHRASE = {
  words: ["near10pct", "next10pct"] as const,
  articlesOf: percent(10),
  /** In how many of them the words stand in this order. */
  inOrderOf: percent(2),
  draw: 7,
};

/** Only planted1pct and planted15pct begin with this; no form of a word does, such as "planted". */
export const PLANTED_BEGINNING = "planted1";

function percent(share: number): (total: number) => number {
  return (total) => Math.round((total * share) / 100);
}

/** Gives the planted words of an article by its number from 0; exact, and nothing is kept for it. */
export function createPlanting(total: number): (article: number) => string[] {
  const slots = PLANTED.map(({ word, articlesOf, draw }, index) => {
    const before = PLANTED.slice(0, index).filter((other) => other.draw === draw);
    const from = before.reduce((sum, other) => sum + other.articlesOf(total), 0);
    return { word, draw, from, to: from + articlesOf(total) };
  });
  const places = new Map(slots.map(({ draw }) => [draw, createDraw(total, draw)]));
  const phrase = createPhrasePlanting(total);
  return (article) => [
    ...slots.flatMap(({ word, draw, from, to }) => {
      const place = places.get(draw)?.(article) ?? -1;
      return place >= from && place < to ? [word] : [];
    }),
    ...phrase(article),
  ];
}

function createPhrasePlanting(total: number): (article: number) => string[] {
  const { words, articlesOf, inOrderOf, draw } = PLANTED_PHRASE;
  const placeOf = createDraw(total, draw);
  return (article) => {
    const place = placeOf(article);
    if (place >= articlesOf(total)) return [];
    return place < inOrderOf(total) ? [...words] : words.toReversed();
  };
}

/**
 * Puts the numbers below `total` in another order: multiplying by a number without a common factor
 * gives every place once, so "the first n places" are exactly n articles, spread over all of them.
 */
function createDraw(total: number, draw: number): (article: number) => number {
  let step = Math.floor(total * fraction(draw * 0.618_033_988_75)) || 1;
  while (greatestCommonDivisor(step, total) !== 1) step += 1;
  return (article) => (article * step + draw) % total;
}

function fraction(value: number): number {
  return value - Math.floor(value);
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
