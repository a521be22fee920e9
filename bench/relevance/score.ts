import { askOk, type Client } from "../measure/client.ts";
import type { Judged } from "./judged.ts";

/** How many results are looked at. */
const DEPTH = 10;

export interface Miss {
  q: string;
  expected: string;
  /** 0 when it is not among the first ten. */
  rank: number;
  found: string[];
}

export interface Score {
  name: string;
  queries: number;
  /** Of the queries, in how many a right article came first. */
  first: number;
  /** And in how many it was among the first three, and the first ten. */
  firstThree: number;
  recall: number;
  /** The mean of 1 / its rank, 0 where it was not among them. */
  reciprocalRank: number;
  /** The median number of articles that are found, at most a hundred. */
  hits: number;
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
  return {
    name,
    queries: ranks.length,
    first: mean((rank) => Number(rank === 1)),
    firstThree: mean((rank) => Number(rank > 0 && rank <= 3)),
    recall: mean((rank) => Number(rank > 0)),
    reciprocalRank: mean((rank) => (rank === 0 ? 0 : 1 / rank)),
    hits: hits.toSorted((one, other) => one - other)[Math.floor(hits.length / 2)] ?? 0,
    misses,
  };
}

async function slugsFor(client: Client, q: string): Promise<string[]> {
  const path = `/api/articles/search?${new URLSearchParams({ q, per_page: "100" })}`;
  const { body } = await askOk(client, path);
  return (JSON.parse(body.toString()) as { slug: string }[]).map(({ slug }) => slug);
}
