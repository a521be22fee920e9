import type { Db } from "../db/connect.ts";
import type { Last } from "./cursor.ts";
import { type Condition, mostPopular, type Place, type Ranking, rank, titled } from "./matches.ts";

/** What is behind a match, and so many further on. */
export interface Part {
  last: Last | undefined;
  skip: number;
  limit: number;
}

export interface Entries {
  entries: Last[];
  /** Where a search gave up before it had found enough: there may be more behind it. */
  reached: Place | undefined;
}

/** How often a search that has to look its matches up goes on looking before it answers with what it has. */
const ROUNDS = 10;

/** Gives matches, the most popular first. */
export async function byPopularity(
  db: Db,
  condition: Condition,
  { last, skip, limit }: Part,
): Promise<Entries> {
  return collect(db, condition, { after: last as Place | undefined, skip, limit, besidesRanked: false });
}

/** Gives matches, the best first; behind those that are ranked, the most popular first. */
export async function byRank(db: Db, condition: Condition, { last, skip, limit }: Part): Promise<Entries> {
  if (last && !("rank" in last))
    return collect(db, condition, { after: last, skip, limit, besidesRanked: true });
  const ranking = await rank(db, condition);
  const from = last ? placeBehind(ranking, last) : skip;
  const ids = ranking.ids.slice(from, from + limit);
  const entries: Last[] = ids.map((article_id, index) => ({
    rank: ranking.ranks[from + index] as number,
    article_id,
  }));
  if (!ranking.rest || entries.length === limit) return { entries, reached: undefined };
  const others = await collect(db, condition, {
    after: ranking.rest,
    skip: Math.max(0, from - ranking.ids.length),
    limit: limit - entries.length,
    besidesRanked: true,
  });
  return { entries: [...entries, ...others.entries], reached: others.reached };
}

/** Gives those with the very title, the most popular first. */
export async function byTitle(
  db: Db,
  condition: Omit<Condition, "query">,
  { last, skip, limit }: Part,
): Promise<Entries> {
  const places = await titled(db, condition);
  const from = last ? places.findIndex(({ article_id }) => article_id === last.article_id) + 1 : skip;
  return { entries: places.slice(from, from + limit), reached: undefined };
}

/** Where the matches behind this one begin; also when it is no longer among them. */
function placeBehind({ ids, ranks }: Ranking, last: { rank: number; article_id: number }): number {
  const place = ids.indexOf(last.article_id);
  if (place >= 0) return place + 1;
  const next = ranks.findIndex((rank) => rank < last.rank);
  return next < 0 ? ids.length : next;
}

interface Popular {
  after: Place | undefined;
  skip: number;
  limit: number;
  besidesRanked: boolean;
}

async function collect(
  db: Db,
  condition: Condition,
  { after, skip, limit, besidesRanked }: Popular,
): Promise<Entries> {
  const entries: Place[] = [];
  let from = after;
  let toSkip = skip;
  for (let round = 0; round < ROUNDS; round += 1) {
    const part = { after: from, skip: toSkip, limit: limit - entries.length, besidesRanked };
    const { places, reached } = await mostPopular(db, condition, part);
    entries.push(...places);
    if (!reached || entries.length >= limit) return { entries, reached: undefined };
    from = reached;
    toSkip -= reached.skipped;
  }
  return { entries, reached: from };
}
