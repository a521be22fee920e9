import { PLANTED } from "../corpus/planted.ts";
import { createZipf, type Random, shuffle } from "../corpus/random.ts";
import { ENOUGH_TO_MISS, type Line, type Site } from "./site.ts";

/** Of all queries, how many ask for planted words, which stand in up to 15 % of the articles. */
const PLANTED_SHARE = 0.1;

/** What people type: mostly one or two words that are not too frequent, some phrases and beginnings of words. */
export const search: Line = {
  name: "Search, 60 results, from the database",
  requests: (site) => {
    const planted = Math.round(ENOUGH_TO_MISS * PLANTED_SHARE);
    const queries = new Set<string>();
    while (queries.size < ENOUGH_TO_MISS - planted) queries.add(writeQuery(site));
    const paths = [...queries].map((query) => `/api/articles/search?q=${encodeURIComponent(query)}`);
    return shuffle(site.random, [...paths, ...plantedPaths(planted)]).map((path) => ({ path }));
  },
};

function writeQuery({ random, vocabulary }: Site): string {
  const place = createPlaces(random, vocabulary.length);
  const [one, other] = [vocabulary[place()] as string, vocabulary[place()] as string];
  const kind = random.next();
  if (kind < 0.5) return one;
  if (kind < 0.8) return `${one} ${other}`;
  return kind < 0.9 ? `"${one} ${other}"` : one.slice(0, 5);
}

const places = new WeakMap<Random, () => number>();

/** Queries follow the frequency of words as texts do, but leave out the few that stand in every article. */
function createPlaces(random: Random, words: number): () => number {
  const known = places.get(random);
  if (known) return known;
  const draw = createZipf(random, words - 50);
  const created = () => 50 + draw();
  places.set(random, created);
  return created;
}

/** Planted words, one and two at a time; the page size makes each address another. */
function plantedPaths(count: number): string[] {
  const words = PLANTED.map(({ word }) => word);
  const queries = [
    ...words,
    ...words.flatMap((one) => words.filter((other) => other > one).map((other) => `${one} ${other}`)),
  ];
  return Array.from({ length: count }, (_, number) => {
    const query = queries[number % queries.length] as string;
    return `/api/articles/search?q=${encodeURIComponent(query)}&per_page=${60 - Math.floor(number / queries.length)}`;
  });
}
