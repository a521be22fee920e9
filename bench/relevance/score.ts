import { askOk, type Client } from "../measure/http.ts";
import type { Judged } from "./judged.ts";
import { round, share, table } from "../report.ts";

/** How many results are looked at. */
const DEPTH = 10;

interface Miss {
  q: string;
  expected: string;
  /** 0 when it is not among the first ten. */
  rank: number;
  found: string[];
}

export interface Score {
  name: string;
  queries: number;
  figures: {
    /** Of the queries, in how many a right article came first. */
    first: number;
    /** And in how many it was among the first three, and the first ten. */
    firstThree: number;
    recall: number;
    /** The mean of 1 / its rank, 0 where it was not among them. */
    reciprocalRank: number;
    /** The median number of articles that are found, at most a hundred. */
    hits: number;
  };
  /** Where a right article did not come first. */
  misses: Miss[];
}

export async function scoreKind(client: Client, name: string, judged: Judged[]): Promise<Score> {
  const ranks: number[] = [];
  const misses: Miss[] = [];
  const hits: number[] = [];
  for (const { q, targets } of judged) {
    const all = await slugsFor(client, q);
    hits.push(all.length);
    const found = all.slice(0, DEPTH);
    const rank = found.findIndex((slug) => targets.has(slug)) + 1;
    ranks.push(rank);
    if (rank !== 1) misses.push({ q, expected: [...targets][0] ?? "", rank, found });
  }
  const mean = (valueOf: (rank: number) => number) =>
    ranks.reduce((sum, rank) => sum + valueOf(rank), 0) / ranks.length;
  const figures = {
    first: mean((rank) => Number(rank === 1)),
    firstThree: mean((rank) => Number(rank > 0 && rank <= 3)),
    recall: mean((rank) => Number(rank > 0)),
    reciprocalRank: mean((rank) => (rank === 0 ? 0 : 1 / rank)),
    hits: hits.toSorted((one, other) => one - other)[Math.floor(hits.length / 2)] ?? 0,
  };
  return { name, queries: ranks.length, figures, misses };
}

/** The slugs of the first 100 articles. */
export async function slugsFor(client: Client, q: string): Promise<string[]> {
  const path = `/api/articles/search?${new URLSearchParams({ q, per_page: "100" })}`;
  const { body } = await askOk(client, path);
  return (JSON.parse(body.toString()) as { slug: string }[]).map(({ slug }) => slug);
}

/** The table of a run; the last line is for all derived queries together. */
export function scoresTable(derived: Score[], judged: Score[]): string {
  const scores = [
    ...derived,
    ...(derived.length > 0 ? [total("All of these", derived)] : []),
    ...judged,
    ...(judged.length > 1 ? [total("All judged", judged)] : []),
  ];
  const rows = scores.map(({ name, queries, figures: { hits, ...shares } }) => {
    return [name, round(queries), ...Object.values(shares).map(share), round(hits)];
  });
  return table(["What is looked for", "Queries", "first", "in three", "in ten", "MRR", "hits"], rows);
}

function total(name: string, scores: Score[]): Score {
  const queries = scores.reduce((sum, score) => sum + score.queries, 0);
  const mean = (of: keyof Score["figures"]) =>
    scores.reduce((sum, score) => sum + score.figures[of] * score.queries, 0) / queries;
  const figures = {
    first: mean("first"),
    firstThree: mean("firstThree"),
    recall: mean("recall"),
    reciprocalRank: mean("reciprocalRank"),
    hits: mean("hits"),
  };
  return { name, queries, figures, misses: [] };
}

const SHOWN = 3;

export function describeMiss({ q, expected, rank, found }: Miss): string {
  const place = rank === 0 ? "not among the first ten" : `at place ${rank}`;
  const instead = found.length === 0 ? "nothing found" : `found ${found.slice(0, SHOWN).join(", ")}`;
  return `  ${q} -> ${expected} ${place}; ${instead}`;
}
