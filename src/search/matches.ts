import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { WordQuery } from "../text/search-query.ts";

/** What is looked for. */
export interface Condition {
  query: WordQuery;
  /** An article with this title is found whatever its other words are. */
  titleKey: string;
  /** A tsquery of marks that every article must have. */
  marks: string | undefined;
  since: Date | undefined;
}

/** A place in the order of popularity. */
export interface Place {
  reactions: number;
  published_at: Date;
  article_id: number;
}

/** So many of the most popular matches are ranked … */
const CANDIDATES = 200;
/** … and so many of those that match by title, tags, names and description alone … */
const HEAD_CANDIDATES = 200;
/** … and so many with the very title that was typed. */
const TITLE_CANDIDATES = 50;

/** So many rows are looked up for what the index can't answer, before a search says how far it got. */
const CHECKS = 1_000;

/** Of body, description, tags and names, title. */
const WEIGHTS = sql`'{0.05, 0.1, 0.4, 1}'::real[]`;
const BODY_WEIGHTS = sql`'{0.2, 0.2, 0.2, 0.2}'::real[]`;

/** How well an article answers; docs/search.md gives the reasons. */
const rankOf = ({ query, titleKey }: Condition): RawBuilder<number> => {
  const { any, anyWhole, together } = query;
  return sql`(
    0.5 * ${any.perCondition}::float8 * ts_rank(${WEIGHTS}, head, ${any.query}::tsquery)
    + 0.5 * ${anyWhole.perCondition}::float8 * ts_rank(${WEIGHTS}, head, ${anyWhole.query}::tsquery)
    + 0.4 * ts_rank_cd(${WEIGHTS}, head, ${wholeOf(query)}::tsquery, 32)
    + 0.05 * ts_rank_cd(${BODY_WEIGHTS}, words, ${wholeOf(query)}::tsquery, 32)
    + ${together === undefined ? sql`0` : sql`case when words @@ ${together}::tsquery then 0.3 else 0 end`}
    + case when title_key = ${titleKey} then 10 else 0 end
    + 0.01 * ln(1 + reactions)
    + 0.01 * extract(epoch from published_at)::float8 / 31557600)`;
};

export interface Ranking {
  /** The numbers of articles, best first, and how well each answers. */
  ids: number[];
  ranks: number[];
  /** Behind which place in the order of popularity there may be more; undefined when all matches are ranked. */
  rest: Place | undefined;
}

/** Ranks the most popular matches. */
export async function rank(db: Db, condition: Condition): Promise<Ranking> {
  const { rows } = await sql<{ ids: number[]; ranks: number[]; rest: ReachedRow | null }>`
    with found as materialized (
      ${matching(condition, { after: undefined, skip: 0, limit: CANDIDATES, besides: sql`null` })}
    ), ranked as (
      select article_id, published_at, ${rankOf(condition)} as rank
      from (
        select distinct on (article_id) * from (
          select article_id, reactions, published_at, title_key, head, words from found where is_match
          union all
          ${matchingByHead(condition)}
        ) as candidate
      ) as candidate
    ), reached as (
      select reactions, published_at, article_id from found
      where (select count(*) filter (where is_match) = ${CANDIDATES} or bool_or(not is_match) from found)
      order by reactions, published_at, article_id limit 1
    )
    select coalesce(array_agg(article_id order by ${BEST_FIRST}), '{}') as ids,
      coalesce(array_agg(rank order by ${BEST_FIRST}), '{}') as ranks,
      (select row_to_json(reached) from reached) as rest
    from ranked`.execute(db);
  const { ids = [], ranks = [], rest = null } = rows[0] ?? {};
  return { ids, ranks, rest: rest ? { ...rest, published_at: new Date(rest.published_at) } : undefined };
}

const BEST_FIRST = sql`rank desc, published_at desc, article_id desc`;

type ReachedRow = Omit<Place, "published_at"> & { published_at: string };

/** Which part of the matches in the order of popularity: behind a place, and so many further on. */
export interface Part {
  after: Place | undefined;
  skip: number;
  limit: number;
}

export interface Matches {
  places: Place[];
  /** Where it stopped before it had found enough or seen all, and how many it had skipped by then. */
  reached: (Place & { skipped: number }) | undefined;
}

/** Gives matches, the most popular first; `besidesRanked` leaves out those that `rank` gives although they stand further back. */
export async function mostPopular(
  db: Db,
  condition: Condition,
  { besidesRanked, ...part }: Part & { besidesRanked: boolean },
): Promise<Matches> {
  const besides = besidesRanked
    ? sql`(select array_agg(article_id) from (${matchingByHead(condition)}) as ranked)`
    : sql`null`;
  const { rows } = await sql<Place & { is_match: boolean; skipped: number }>`
    select article_id, reactions, published_at, is_match, skipped
    from (${matching(condition, { ...part, besides })}) as found
    order by reactions desc, published_at desc, article_id desc, is_match desc`.execute(db);
  return {
    places: rows.filter(({ is_match }) => is_match),
    reached: rows.find(({ is_match }) => !is_match),
  };
}

/** Gives those with the very title, the most popular first. */
export async function titled(db: Db, condition: Omit<Condition, "query">): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select article_id, reactions, published_at from (${matchingByTitle(condition)}) as found
    order by reactions desc, published_at desc, article_id desc`.execute(db);
  return rows;
}

/** Whether anything matches at all. */
export async function isFound(db: Db, condition: Condition): Promise<boolean> {
  const { places, reached } = await mostPopular(db, condition, {
    after: undefined,
    skip: 0,
    limit: 1,
    besidesRanked: false,
  });
  return places.length > 0 || reached !== undefined;
}

/** Which of these conditions, the texts of tsqueries, no published article meets. */
export async function unknown(db: Db, conditions: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ condition: string }>`
    select condition from unnest(${conditions}::text[]) as condition
    where not exists (
      select from search_matches(
        null, condition::tsquery, condition::tsquery, false, null, null, null, null, null, 0, 1, 1))`.execute(
    db,
  );
  return new Set(rows.map(({ condition }) => condition));
}

function matching(
  condition: Condition,
  { after, skip, limit, besides }: Part & { besides: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const { query, since } = condition;
  return sql`
    select * from search_matches(
      ${parts(condition)}, ${query.exact !== undefined}, ${since ?? null}::timestamptz, ${besides}::int[],
      ${after?.reactions ?? null}::int, ${after?.published_at ?? null}::timestamptz, ${after?.article_id ?? null}::int,
      ${skip}::int, ${limit}::int, ${CHECKS}::int)`;
}

/** What matches by its head alone or has the very title. */
function matchingByHead(condition: Condition): RawBuilder<unknown> {
  const { query, since } = condition;
  // What must stand nowhere may stand in the body.
  return sql`
    select * from search_head_matches(${parts(condition)}, ${since ?? null}::timestamptz, ${HEAD_CANDIDATES}::int)
    ${query.isExcluding ? sql`where words @@ ${wholeOf(query)}::tsquery` : sql``}
    union all (${matchingByTitle(condition)})`;
}

function matchingByTitle({ titleKey, marks, since }: Omit<Condition, "query">): RawBuilder<unknown> {
  return sql`
    select article_id, reactions, published_at, title_key, head, words from article_search
    where title_key = ${titleKey}
      ${marks === undefined ? sql`` : sql`and words @@ ${marks}::tsquery`}
      ${since ? sql`and published_at > ${since}` : sql``}
    order by reactions desc, published_at desc, article_id desc limit ${TITLE_CANDIDATES}`;
}

/** The first three arguments of both functions. */
function parts({ query, marks }: Condition): RawBuilder<unknown> {
  const wanted = [query.others, marks].filter((part) => part !== undefined).join(" & ");
  return sql`${wanted === "" ? null : wanted}::tsquery, ${query.ending ?? null}::tsquery, ${wholeOf(query)}::tsquery`;
}

/** The whole condition in one. */
function wholeOf({ exact, loose }: WordQuery): string {
  return exact ?? loose;
}
