import { LEAST_SHARE, type Narrowing } from "../search-index/segment.ts";
import type { WordQuery } from "../search-index/query.ts";
import {
  type Condition,
  join,
  writeExact,
  writeInTitle,
  writeLoose,
  writeLooseExclusion,
} from "../search-index/terms.ts";
import { quoteLexeme } from "../search-index/tokens.ts";
import type { RowFilter } from "./matching-rows.ts";

/** Half of the weight is looked up by the heaviest words: each one more doubles the ways to have it. */
const MOST_LOOKED_UP = 8;

/** The statements' texts for a query. */
export interface Plan extends RowFilter {
  /** The number of words that count. */
  size: number;
  /** Finds the articles with all words, where `lookedUp` finds those with half of their weight. */
  all: string;
  /** Finds the articles with half of the weight in the title. */
  titled: string;
}

interface Weighed {
  text: string;
  weight: number;
}

export function planOf(
  { clauses, exclusions }: WordQuery,
  narrowing: Narrowing,
  weights: readonly number[],
): Plan {
  const words = clauses.flatMap((each, at) => {
    const weight = weights[at] as number;
    return each.isStopWord || weight === 0 ? [] : [{ condition: each.condition, weight }];
  });
  const required = clauses.filter((each) => each.isRequired).map(({ condition }) => condition);
  const others = [
    ...required.map(writeLoose),
    ...exclusions.flatMap((condition) => writeLooseExclusion(condition) ?? []),
    ...narrowing.filterTokens.map(writeAny),
  ];
  const checked = [
    ...required.map(writeExact),
    ...exclusions.map((condition) => `!${writeExact(condition)}`),
  ];
  const hasPhrases = [...required, ...exclusions].some((condition) =>
    condition.some((phrase) => phrase.length > 1),
  );
  const write = (how: (condition: Condition) => string) =>
    words.map(({ condition, weight }) => ({ text: how(condition), weight }));
  return {
    size: words.length,
    lookedUp: conjoin([halfOf(write(writeLoose)), ...others]),
    all: conjoin([...write(writeLoose).map(({ text }) => text), ...others]),
    titled: halfOf(write(writeInTitle)),
    checked: hasPhrases ? conjoin(checked) : null,
    since: narrowing.since ?? null,
    until: narrowing.now,
  };
}

/** Finds all articles with half of the weight of these words, and more where there are many words. */
function halfOf(words: readonly Weighed[]): string {
  const byWeight = words.toSorted((one, other) => other.weight - one.weight);
  const sum = (some: readonly Weighed[]) => some.reduce((total, { weight }) => total + weight, 0);
  const least = LEAST_SHARE * 0.999 * sum(byWeight) - sum(byWeight.slice(MOST_LOOKED_UP));
  return join(sumsOf(byWeight.slice(0, MOST_LOOKED_UP), least).map(conjoin), " | ");
}

/** The smallest sets of words that weigh enough. */
function sumsOf(words: readonly Weighed[], least: number): string[][] {
  const [first, ...others] = words;
  if (first === undefined) return [];
  const withFirst =
    first.weight >= least
      ? [[first.text]]
      : sumsOf(others, least - first.weight).map((more) => [first.text, ...more]);
  const left = others.reduce((sum, { weight }) => sum + weight, 0);
  return left >= least ? [...withFirst, ...sumsOf(others, least)] : withFirst;
}

export const conjoin = (conditions: readonly string[]) => [...new Set(conditions)].join(" & ");

export const writeAny = (tokens: readonly string[]) => join(tokens.map(quoteLexeme), " | ");
