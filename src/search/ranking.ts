import { TITLE_STOP_WORD } from "../search-index/article-index.ts";
import { countBits } from "../search-index/bits.ts";
import { HitList } from "./hits.ts";
import { HAS_ALL, NEARLY_ALL, type Narrowing, type Segment } from "../search-index/segment.ts";
import type { WordQuery } from "../search-index/query.ts";
import { Candidates, type Missing, select } from "./selection.ts";
import { MOST_PLACES } from "../search-index/sequences.ts";
import type { Weights } from "../search-index/sums.ts";

/** The weight of a stop word beside other words, in neighbouring pairs. */
const STOP_WORD = 0.3;
const SAME_TITLE = 1;
/** Multiplies the share of the title's words that the query has. */
const TITLE_COVERED = 0.2;
/** Multiplies the share, by weight, of the query's neighbouring words that stand together. */
const NEAR = 0.3;
const NEAR_OUTSIDE_TITLE = 0.7;
/** The score of all words side by side, as typed. */
const AS_TYPED = 0.45;
/** Multiplies the logarithm of the reactions. */
const POPULARITY = 0.005;
/** The score of being a year newer. */
const FRESHNESS = 0.001;
const YEAR_MS = 31_557_600_000;

/** A hit without all words has at least this share of the best score. */
const LEAST_OF_BEST = 0.2;

/** The best hits whose sequences are read, and those of them with all words that are also read in the body. */
const RESCORED = 100;
const MOST_BODIES = 60;

export interface Ranked {
  hits: HitList;
  /** More articles with all words, of each segment, in any order. */
  rest: Int32Array[];
  /** Whether some article has all the words that count and occur. */
  haveAll: boolean;
  /** Whether some title equals the query. */
  isTitle: boolean;
  /** Whether each clause counts but no article has it. */
  isAbsent: boolean[];
  missing: Missing;
}

/** Counts over all articles, where the segments have only some of them. */
export interface Facts {
  /** The number of articles that weigh words. */
  articles: number;
  /** The number of articles with each clause. */
  counts: readonly number[];
}

/** BM25's inverse document frequency (Robertson, Zaragoza 2009). */
const weightOf = (articles: number, all: number) => Math.log(1 + (all - articles + 0.5) / (articles + 0.5));

/** Weighs each clause; 0 for one that no article has. */
export function weightsOf({ clauses }: WordQuery, { articles, counts }: Facts): Weights {
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
 * @param segments each less popular than the one before
 * @param known what holds of all articles; without it, the only segment has them all
 */
export function rank(
  segments: readonly Segment[],
  query: WordQuery,
  narrowing: Narrowing,
  known?: Facts,
): Ranked {
  const counts = segments.map((segment) => segment.match(query));
  const facts = known ?? { articles: segments[0]?.index.weighing ?? 0, counts: counts[0] ?? [] };
  const weights = weightsOf(query, facts);
  for (const segment of segments) segment.weigh(weights);
  const matching = segments.map((segment) => segment.matching(query, narrowing));
  const haveAll = matching.some(({ all }) => all > 0);
  const candidates = matching.map((each, at) => new Candidates(segments[at] as Segment, each));
  const counting = query.clauses.filter((each, at) => !each.isStopWord && weights.weights[at] !== 0).length;
  // All words of one or two must match, if some article has them all.
  const missing = select(candidates, { haveAll, needsAll: haveAll && counting <= 2 });
  const { hits, rest, isTitle } = hitsOf(candidates, narrowing);
  for (const each of candidates) each.clear();
  for (const segment of segments) segment.clear();
  const beside = besideEachOther(segments, query, weights);
  if (beside) hits.raise(RESCORED, beside);
  hits.cut(LEAST_OF_BEST);
  return { hits, rest, haveAll, isTitle, isAbsent: weights.weights.map((weight) => weight === 0), missing };
}

function hitsOf(candidates: readonly Candidates[], narrowing: Narrowing) {
  // A title that equals the query is a hit whatever the query excludes.
  const titled = candidates.map(({ segment }) => new Set(segment.titled(narrowing)));
  for (const [at, each] of candidates.entries()) each.rankAlso([...(titled[at] ?? [])]);
  const hits = new HitList(
    candidates.map(({ segment }) => segment),
    candidates.reduce((sum, { ranked }) => sum + ranked.length, 0),
  );
  for (const [at, each] of candidates.entries()) addHits(hits, at, each, titled[at] as Set<number>);
  const rest = candidates.map((each) => each.others(HAS_ALL, HAS_ALL).slice());
  return { hits, rest, isTitle: titled.some(({ size }) => size > 0) };
}

/** @param at the number of the segment */
function addHits(
  hits: HitList,
  at: number,
  { segment, ranked }: Candidates,
  titled: ReadonlySet<number>,
): void {
  const { ids, reactions, publishedAt, titleWeights } = segment.index;
  const { sums } = segment;
  const nearlyAll = NEARLY_ALL * sums.total;
  for (let nth = 0; nth < ranked.length; nth++) {
    const slot = ranked[nth] as number;
    const covered = (sums.titles[slot] as number) / Math.max(1, titleWeights[slot] as number);
    const score =
      sums.scoreOf(slot) +
      TITLE_COVERED * Math.min(1, covered) +
      POPULARITY * Math.log1p(reactions[slot] as number) +
      (FRESHNESS * (publishedAt[slot] as number)) / YEAR_MS;
    const hasAll = (sums.shares[slot] as number) >= nearlyAll;
    const more = titled.has(slot) ? SAME_TITLE : 0;
    hits.add(at, slot, ids[slot] as number, score + more, hasAll);
  }
}

/** Gives the score that neighbouring words of an article add; undefined for a single word. */
function besideEachOther(
  segments: readonly Segment[],
  { inPlace, clauses }: WordQuery,
  { weights }: Weights,
): ((segment: Segment, slot: number, hasAll: boolean) => number) | undefined {
  const words = inPlace.filter((word) => weights[word.clause] !== 0).slice(0, MOST_PLACES);
  if (words.length < 2) return undefined;
  const isWhole = words.length === inPlace.length;
  for (const segment of segments) segment.sequences.load(words.map(({ place }) => place));
  const weightAt = (at: number) => weights[words[at]?.clause as number] as number;
  const pairs = words.slice(1).map((_, at) => {
    const [one, other] = [weightAt(at), weightAt(at + 1)];
    return Math.min(one, other) + 0.15 * ((one + other) / 2);
  });
  const all = pairs.reduce((sum, weight) => sum + weight, 0);
  let stopWords = 0;
  for (const [at, word] of words.entries())
    if (clauses[word.clause]?.isStopWord === true) stopWords |= 1 << at;
  let bodies = 0;
  return ({ sequences, index }, slot, hasAll) => {
    // The words of others are hardly side by side anywhere.
    const withBody = hasAll && bodies++ < MOST_BODIES;
    const near = sequences.nearness(slot, NEAR_OUTSIDE_TITLE, withBody);
    let together = 0;
    for (let at = 0; at < pairs.length; at++) together += (near.pairs[at] as number) * (pairs[at] as number);
    const inTitle = TITLE_STOP_WORD * countBits(near.titleMask & stopWords);
    return (
      (NEAR * together) / all +
      (isWhole && near.isAsTyped ? AS_TYPED : 0) +
      (TITLE_COVERED * inTitle) / Math.max(1, index.titleWeights[slot] as number)
    );
  };
}
