import { round, share, table } from "../report.ts";
import type { Miss, Score } from "./score.ts";

/** The table of a run, as Markdown; the last line is for all derived queries together. */
export function writeRelevanceReport(derived: Score[], judged: Score | undefined): string {
  const head = ["What is looked for", "Queries", "first", "recall@10", "MRR"];
  const rows = [...derived, ...(derived.length > 0 ? [total(derived)] : []), ...(judged ? [judged] : [])];
  return table(
    head,
    rows.map(({ name, queries, first, recall, reciprocalRank }) => [
      name,
      round(queries),
      share(first),
      share(recall),
      share(reciprocalRank),
    ]),
  );
}

function total(scores: Score[]): Score {
  const queries = scores.reduce((sum, score) => sum + score.queries, 0);
  const mean = (of: "first" | "recall" | "reciprocalRank") =>
    scores.reduce((sum, score) => sum + score[of] * score.queries, 0) / queries;
  return {
    name: "All of these",
    queries,
    first: mean("first"),
    recall: mean("recall"),
    reciprocalRank: mean("reciprocalRank"),
    misses: [],
  };
}

const SHOWN = 3;

export function describeMiss({ q, expected, rank, found }: Miss): string {
  const place = rank === 0 ? "not among the first ten" : `at place ${rank}`;
  const instead = found.length === 0 ? "nothing found" : `found ${found.slice(0, SHOWN).join(", ")}`;
  return `  ${q} -> ${expected} ${place}; ${instead}`;
}
