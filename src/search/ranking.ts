import { TITLE_STOP_WORD } from "./index/article-index.ts";
import type { WordQuery } from "./index/query.ts";
import type { Narrowing, Segment, Weights } from "./index/segment.ts";
import { MOST_PLACES } from "./index/sequences.ts";
import { HitList } from "./hits.ts";

/** The weight of a stop word beside other words, in neighbouring pairs. */
const STOP_WORD = 0.3;
const SAME_TITLE = 1;
/** Multiplies the share of the title's words that the query has. */
const TITLE_COVERED = 0.2;
/** Multiplies the share, by weight, of the query's neighbouring words that stand together. */
const NEAR = 0.3;
const NEAR_OUTSIDE_TITLE = 0.7;
/** A pair weighs as its more frequent word; this share of the mean of both tells pairs of one frequent word apart. */
const BOTH_OF_PAIR = 0.15;
/** The score of all words side by side, as typed. */
const AS_TYPED = 0.45;

/** Queries of at most so many words put articles with all of them first, and with the words as typed before those. */
const MOST_NEEDED = 3;
/** More than any other score. */
const HAS_ALL = 100;
const TYPED = 0.5;

/** The best hits whose sequences are read, and those of them that are also read in the body. */
const RESCORED = 50;
const MOST_BODIES = 30;

export interface Ranked {
  hits: HitList;
  /** Whether articles with all words come first. */
  allFirst: boolean;
  isTitle: boolean;
  /** Whether each clause counts but no article has it. */
  isAbsent: boolean[];
}

/** BM25's inverse document frequency (Robertson, Zaragoza 2009). */
const weightOf = (articles: number, all: number) => Math.log(1 + (all - articles + 0.5) / (articles + 0.5));

/** Weighs each clause; 0 for one that no article has. */
function weightsOf({ clauses }: WordQuery, counts: readonly number[], articles: number): Weights {
  const weights = clauses.map(({ isStopWord }, at) => {
    if (isStopWord) return STOP_WORD;
    return counts[at] === 0 ? 0 : weightOf(counts[at] as number, articles);
  });
  return {
    weights,
    total: weights.reduce((sum, weight, at) => (clauses[at]?.isStopWord === true ? sum : sum + weight), 0),
  };
}

/**
 * Ranks articles: docs/search.md gives the reasons.
 * @param segments the articles in memory, and others that were found
 * @param areOthersBehind whether the others come behind all in memory
 */
export function rank(
  segments: readonly [Segment, ...Segment[]],
  query: WordQuery,
  narrowing: Narrowing,
  areOthersBehind = false,
): Ranked {
  const telling = query.clauses.filter(({ isStopWord }) => !isStopWord).length;
  const allFirst = telling <= MOST_NEEDED;
  const counts = segments.map((segment) => segment.match(query, allFirst ? TYPED : 0));
  // What comes behind changes no score before it.
  const weighing = areOthersBehind ? 1 : segments.length;
  const sums = query.clauses.map((_, at) =>
    counts.slice(0, weighing).reduce((sum, own) => sum + (own[at] as number), 0),
  );
  const articles = segments.slice(0, weighing).reduce((sum, { index }) => sum + index.size, 0);
  const weights = weightsOf(query, sums, Math.max(articles, ...sums));
  for (const segment of segments) segment.weigh(weights);
  const titled = segments.map((segment) => segment.titled(narrowing));
  const hits = new HitList(
    segments,
    segments.reduce((sum, segment, at) => sum + segment.sums.size + (titled[at]?.length ?? 0), 0),
  );
  for (const [at, segment] of segments.entries()) {
    const more = at > 0 && areOthersBehind ? -2 * HAS_ALL : 0;
    const first = allFirst ? HAS_ALL : 0;
    addHits(hits, { at, segment, query, narrowing, more, first, titled: titled[at] ?? [] });
    segment.clear();
  }
  const beside = besideEachOther(segments, query, weights);
  if (beside) hits.raise(RESCORED, beside);
  return {
    hits,
    allFirst,
    isTitle: titled.some(({ length }) => length > 0),
    isAbsent: weights.weights.map((weight) => weight === 0),
  };
}

interface Matched {
  at: number;
  segment: Segment;
  query: WordQuery;
  narrowing: Narrowing;
  more: number;
  /** Added to the score of an article that has all words. */
  first: number;
  /** The articles whose title is the query, also one of stop words alone. */
  titled: readonly number[];
}

function addHits(hits: HitList, { at, segment, query, narrowing, more, first, titled }: Matched): void {
  const { priors, titleWeights } = segment.index;
  const { sums } = segment;
  const rest = new Set(titled);
  const add = (slot: number, hasAll: boolean) => {
    const covered = (sums.titles[slot] as number) / Math.max(1, titleWeights[slot] as number);
    const score = sums.scoreOf(slot) + TITLE_COVERED * Math.min(1, covered) + (priors[slot] as number) + more;
    const isTitled = rest.size > 0 && rest.delete(slot);
    const tier = isTitled ? HAS_ALL + SAME_TITLE : first;
    hits.add(at, slot, hasAll || isTitled ? score + tier : score, hasAll || isTitled);
  };
  segment.visit(query, narrowing, add);
  for (const slot of rest) add(slot, true);
}

/** Gives the score that neighbouring words of an article add; undefined for a single word. */
function besideEachOther(
  segments: readonly Segment[],
  { inPlace, clauses }: WordQuery,
  { weights }: Weights,
): ((segment: Segment, slot: number) => number) | undefined {
  const words = inPlace.filter((word) => weights[word.clause] !== 0).slice(0, MOST_PLACES);
  if (words.length < 2) return undefined;
  const isWhole = words.length === inPlace.length;
  for (const segment of segments) segment.sequences.load(words.map(({ place }) => place));
  const weightAt = (at: number) => weights[words[at]?.clause as number] as number;
  const pairs = words.slice(1).map((_, at) => {
    const [one, other] = [weightAt(at), weightAt(at + 1)];
    return Math.min(one, other) + BOTH_OF_PAIR * ((one + other) / 2);
  });
  const all = pairs.reduce((sum, weight) => sum + weight, 0);
  const stopWords = words.flatMap((word, at) => (clauses[word.clause]?.isStopWord === true ? 1 << at : []));
  let bodies = 0;
  return ({ sequences, index }, slot) => {
    const near = sequences.nearness(slot, NEAR_OUTSIDE_TITLE, bodies++ < MOST_BODIES);
    let together = 0;
    for (let at = 0; at < pairs.length; at++) together += (near.pairs[at] as number) * (pairs[at] as number);
    const inTitle = TITLE_STOP_WORD * stopWords.filter((bit) => (near.titleMask & bit) !== 0).length;
    return (
      (NEAR * together) / all +
      (isWhole && near.isAsTyped ? AS_TYPED : 0) +
      (TITLE_COVERED * inTitle) / Math.max(1, index.titleWeights[slot] as number)
    );
  };
}
