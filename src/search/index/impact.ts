import type { FieldEnds } from "./row-vector.ts";

/**
 * BM25F (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009, section 3.6): the counts of a word in the
 * fields, each by its weight and its field's length, are added before they saturate. docs/search.md gives the reasons
 * of the numbers. The fields are title, tags and names, description, body.
 */
const FIELD_WEIGHTS = [5, 3, 2, 1] as const;
/** How much the length of a field counts, from 0 to 1. Every tag and name is a field of its own. */
const B = [0.5, 0, 0.5, 0.75] as const;
/** Numbers of words. An impact is kept with its posting, so it can't depend on the lengths of other articles. */
const TYPICAL_LENGTHS = [8, 1, 20, 300] as const;
const K1 = 1.2;

/** Adds the logarithm of the reactions, and of a newer date, to a score of about 1: they decide between equals. */
const POPULARITY = 0.005;
const FRESHNESS_PER_YEAR = 0.001;
const YEAR_MS = 31_557_600_000;

export const priorOf = (reactions: number, publishedAt: number): number =>
  POPULARITY * Math.log1p(reactions) + (FRESHNESS_PER_YEAR * publishedAt) / YEAR_MS;

/** An impact is kept in seven bits. */
export const MAX_STEP = 127;
export const stepOf = (impact: number): number => Math.max(1, Math.round(impact * MAX_STEP));
export const impactOfStep = (step: number): number => step / MAX_STEP;

export function countsPerField({ title, names, description, body }: FieldEnds): number[] {
  const lengths = [title, 1, description - names, body - description];
  return FIELD_WEIGHTS.map((weight, field) => {
    const b = B[field] as number;
    return weight / (1 - b + (b * (lengths[field] as number)) / (TYPICAL_LENGTHS[field] as number));
  });
}

/** @param count the weighted occurrences of a word; returns 0 to 1 */
export const saturate = (count: number): number => count / (count + K1);
