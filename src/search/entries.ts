import { invalid } from "../errors.ts";
import type { Db } from "../db/connect.ts";
import type { Last } from "./cursor.ts";
import {
  mostPopular,
  type Narrowing,
  type Part as MatchPart,
  type PopularMatch,
  type RankedMatch,
  type SortKey,
  titled,
  type WordSearch,
} from "./matches.ts";
import { alsoRanked, rankedPage } from "./ranking.ts";

/** Part of the matches: `limit` of them, behind a match and `skip` further on. */
export interface Part {
  last: Last | undefined;
  skip: number;
  limit: number;
}

export interface Entries {
  entries: (RankedMatch | PopularMatch)[];
  /** The place at which a search stopped before it had found enough; there may be more behind it. */
  reached: SortKey | undefined;
}

/** A search that has to check rows goes on for this long before it answers with what it has. */
const PATIENCE_MS = 100;
/** The same for a page by number: the next one counts on it to be full. */
const PATIENCE_BY_NUMBER_MS = 1_000;

const patienceOf = (skip: number) => (skip > 0 ? PATIENCE_BY_NUMBER_MS : PATIENCE_MS);

/** Gives matches, the most popular first. */
export async function byPopularity(
  db: Db,
  condition: WordSearch,
  { last, skip, limit }: Part,
): Promise<Entries> {
  return collect(
    db,
    condition,
    { after: last as SortKey | undefined, skip, limit, besides: undefined },
    patienceOf(skip),
  );
}

/** Gives matches, the best first; behind those that are ranked, the most popular first. */
export async function byRank(db: Db, condition: WordSearch, { last, skip, limit }: Part): Promise<Entries> {
  if (last && !("rank" in last)) {
    return collect(
      db,
      condition,
      { after: last, skip, limit, besides: await alsoRanked(db, condition) },
      patienceOf(skip),
    );
  }
  const begin = performance.now();
  const { ranked, others, rest } = await rankedPage(db, condition, { limit, offset: skip, after: last });
  const entries = [...ranked, ...others];
  if (!rest) return { entries, reached: undefined };
  const isLate = performance.now() - begin > patienceOf(skip);
  if (isLate && rest.skip === 0) return { entries, reached: rest.after };
  const more = await collect(db, condition, { ...rest, limit: limit - entries.length }, patienceOf(skip));
  return { entries: [...entries, ...more.entries], reached: more.reached };
}

/** Gives those with this very title, the most popular first. */
export async function byTitle(db: Db, narrowing: Narrowing, { last, skip, limit }: Part): Promise<Entries> {
  const matches = await titled(db, narrowing);
  const from = last ? matches.findIndex(({ article_id }) => article_id === last.article_id) + 1 : skip;
  return { entries: matches.slice(from, from + limit), reached: undefined };
}

/** Continues from place to place until there are enough matches or the time is up. */
async function collect(db: Db, condition: WordSearch, part: MatchPart, patienceMs: number): Promise<Entries> {
  const entries: PopularMatch[] = [];
  const begin = performance.now();
  for (let { after, skip } = part; ;) {
    const limit = part.limit - entries.length;
    const { matches, reached } = await mostPopular(db, condition, { ...part, after, skip, limit });
    entries.push(...matches);
    if (!reached || entries.length >= part.limit) return { entries, reached: undefined };
    after = reached.place;
    skip -= reached.skipped;
    const elapsed = performance.now() - begin;
    if (skip === 0 && elapsed > patienceMs) return { entries, reached: after };
    if (elapsed > PATIENCE_BY_NUMBER_MS) {
      throw invalid("page is too far on for this query: follow the next link of the Link header instead");
    }
  }
}
