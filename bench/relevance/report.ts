import { round, share, table } from "../report.ts";
import type { Miss, Score } from "./score.ts";

/** The table of a run, as Markdown; the last line is for all derived queries together. */
export function writeRelevanceReport(derived: Score[], judged: Score[]): string {
  const head = ["What is looked for", "Queries", "first", "in three", "in ten", "MRR", "hits"];
  const rows = [
    ...derived,
    ...(derived.length > 0 ? [total("All of these", derived)] : []),
    ...judged,
    ...(judged.length > 1 ? [total("All judged", judged)] : []),
  ];
  return table(
    head,
    rows.map(({ name, queries, first, firstThree, recall, reciprocalRank, hits }) => [
      name,
      round(queries),
      share(first),
      share(firstThree),
      share(recall),
      share(reciprocalRank),
      round(hits),
    ]),
  );
}

function total(name: string, scores: Score[]): Score {
  const queries = scores.reduce((sum, score) => sum + score.queries, 0);
  const mean = (of: "first" | "firstThree" | "recall" | "reciprocalRank" | "hits") =>
    scores.reduce((sum, score) => sum + score[of] * score.queries, 0) / queries;
  return {
    name,
    queries,
    first: mean("first"),
    firstThree: mean("firstThree"),
    recall: mean("recall"),
    reciprocalRank: mean("reciprocalRank"),
    hits: mean("hits"),
    misses: [],
  };
}

const SHOWN = 3;

export function describeMiss({ q, expected, rank, found }: Miss): string {
  const place = rank === 0 ? "not among the first ten" : `at place ${rank}`;
  const instead = found.length === 0 ? "nothing found" : `found ${found.slice(0, SHOWN).join(", ")}`;
  return `  ${q} -> ${expected} ${place}; ${instead}`;
}
