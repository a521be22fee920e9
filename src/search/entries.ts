import type { Db } from "../db/connect.ts";
import type { Last } from "./cursor.ts";
import { invalid } from "../errors.ts";
import {
  type Condition,
  mostPopular,
  type Narrowing,
  type Part as MatchPart,
  type Place,
  type Ranking,
  rank,
  rankedAnyway,
  titled,
} from "./matches.ts";

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

/** How long a search that has to look its matches up goes on before it answers with what it has. */
const PATIENCE_MS = 100;
/** The same where nothing can be answered before so many are counted off. */
const PATIENCE_TO_SKIP_MS = 1_000;

/** Gives matches, the most popular first. */
export async function byPopularity(
  db: Db,
  condition: Condition,
  { last, skip, limit }: Part,
): Promise<Entries> {
  return collect(db, condition, { after: last as Place | undefined, skip, limit, besides: undefined });
}

/** Gives matches, the best first; behind those that are ranked, the most popular first. */
export async function byRank(db: Db, condition: Condition, { last, skip, limit }: Part): Promise<Entries> {
  if (last && !("rank" in last)) {
    return collect(db, condition, { after: last, skip, limit, besides: await rankedAnyway(db, condition) });
  }
  const begin = performance.now();
  const ranking = await rank(db, condition);
  const from = last ? placeBehind(ranking, last) : skip;
  const ids = ranking.ids.slice(from, from + limit);
  const entries: Last[] = ids.map((article_id, index) => ({
    rank: ranking.ranks[from + index] as number,
    article_id,
  }));
  if (!ranking.rest || entries.length === limit) return { entries, reached: undefined };
  const isLate = performance.now() - begin > PATIENCE_MS;
  if (isLate && from <= ranking.ids.length) return { entries, reached: ranking.rest };
  const others = await collect(db, condition, {
    after: ranking.rest,
    skip: Math.max(0, from - ranking.ids.length),
    limit: limit - entries.length,
    besides: ranking.ids,
  });
  return { entries: [...entries, ...others.entries], reached: others.reached };
}

/** Gives those with the very title, the most popular first. */
export async function byTitle(db: Db, narrowing: Narrowing, { last, skip, limit }: Part): Promise<Entries> {
  const places = await titled(db, narrowing);
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

/** Goes on from place to place until there is enough, or for as long as somebody waits. */
async function collect(db: Db, condition: Condition, part: MatchPart): Promise<Entries> {
  const entries: Place[] = [];
  const begin = performance.now();
  for (let { after, skip } = part; ;) {
    const limit = part.limit - entries.length;
    const { places, reached } = await mostPopular(db, condition, { ...part, after, skip, limit });
    entries.push(...places);
    if (!reached || entries.length >= part.limit) return { entries, reached: undefined };
    after = reached;
    skip -= reached.skipped;
    const elapsed = performance.now() - begin;
    if (skip === 0 && elapsed > PATIENCE_MS) return { entries, reached };
    if (elapsed > PATIENCE_TO_SKIP_MS) {
      throw invalid("page is too far on for this query: follow the next link of the Link header instead");
    }
  }
}
