import type { FieldEnds } from "./row-vector.ts";

/** Title, tags and names, description, body. */
const FIELD_WEIGHTS = [1, 0.45, 0.25, 0.35] as const;
/** How slowly a field saturates: one mention in a title says nearly all, one in a body little. */
const SATURATION = [0.3, 0.3, 0.6, 3] as const;
/** How much the length of a field counts, from 0 to 1. */
const LENGTH_SHARE = [0.2, 0, 0.3, 0.6] as const;
/** Constants, so that an article's impacts depend on nothing but its own row. */
const TYPICAL_LENGTH = [7, 1, 20, 700] as const;

/** An impact is kept in seven bits. */
export const MAX_STEP = 127;
const STEPS = 75;
export const stepOf = (impact: number): number => Math.max(1, Math.min(MAX_STEP, Math.round(impact * STEPS)));
export const impactOfStep = (step: number): number => step / STEPS;

/** How slowly each field of an article saturates. */
export function saturationOf({ title, names, description, body }: FieldEnds): number[] {
  const lengths = [title, 1, description - names, body - description];
  return SATURATION.map((k, field) => {
    const share = LENGTH_SHARE[field] as number;
    return k * (1 - share + (share * (lengths[field] as number)) / (TYPICAL_LENGTH[field] as number));
  });
}

/**
 * How much an article is about a token: the fields are saturated apart and added up, so that no body beats a title by
 * repetition. BM25F (Robertson, Zaragoza, Taylor 2004) saturates their sum.
 */
export function impactOf(counts: ArrayLike<number>, saturation: readonly number[]): number {
  let sum = 0;
  for (let field = 0; field < 4; field++) {
    const count = counts[field] as number;
    if (count > 0)
      sum += ((FIELD_WEIGHTS[field] as number) * count) / (count + (saturation[field] as number));
  }
  return sum;
}
