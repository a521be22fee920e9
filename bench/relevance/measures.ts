import type { Question } from "./collection.ts";

/** The measures of TREC, each the mean over all questions; grades above 0 count alike. */
export interface Measures {
  /** Normalised discounted cumulative gain of the first ten (Järvelin and Kekäläinen 2002). */
  ndcg: number;
  /** Mean average precision of the first hundred. */
  map: number;
  /** The share of the right texts that are among the first hundred. */
  recall: number;
  /** The share of questions with a right text among the first three. */
  success: number;
  /** The number of questions that find nothing. */
  empty: number;
}

/** How many results are looked at. */
export const DEEPEST = 100;

/** @param found for each question the numbers of the texts found, the best first */
export function measure(questions: readonly Question[], found: readonly (readonly number[])[]): Measures {
  const mean = (of: (question: Question, ranking: readonly number[]) => number) =>
    questions.reduce((sum, question, at) => sum + of(question, found[at] ?? []), 0) / questions.length;
  return {
    ndcg: mean(({ answers }, ranking) => gain(ranking.slice(0, 10), answers) / bestGain(answers.size)),
    map: mean(({ answers }, ranking) => precision(ranking.slice(0, DEEPEST), answers) / answers.size),
    recall: mean(({ answers }, ranking) => count(ranking.slice(0, DEEPEST), answers) / answers.size),
    success: mean(({ answers }, ranking) => Math.min(1, count(ranking.slice(0, 3), answers))),
    empty: found.filter(({ length }) => length === 0).length,
  };
}

const discount = (at: number) => 1 / Math.log2(at + 2);

function gain(ranking: readonly number[], answers: ReadonlySet<number>): number {
  return ranking.reduce((sum, found, at) => sum + (answers.has(found) ? discount(at) : 0), 0);
}

function bestGain(answers: number): number {
  return Array.from({ length: Math.min(10, answers) }, (_, at) => discount(at)).reduce(
    (sum, each) => sum + each,
    0,
  );
}

/** The sum of the precisions at each right text. */
function precision(ranking: readonly number[], answers: ReadonlySet<number>): number {
  let right = 0;
  return ranking.reduce((sum, found, at) => (answers.has(found) ? sum + ++right / (at + 1) : sum), 0);
}

function count(ranking: readonly number[], answers: ReadonlySet<number>): number {
  return ranking.filter((found) => answers.has(found)).length;
}
