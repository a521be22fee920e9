import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Lexemes, WordQuery } from "../text/search-query.ts";

/** What is looked for besides words. */
export interface Narrowing {
  /** As it was typed. */
  typed: string;
  /** An article with this title is found whatever its other words are. */
  titleKey: string;
  /** A tsquery of marks that every article must have. */
  marks: string | undefined;
  since: Date | undefined;
}

/** What is looked for. */
export interface Condition extends Narrowing {
  query: WordQuery;
}

/** A place in the order of popularity. */
export interface Place {
  reactions: number;
  published_at: Date;
  article_id: number;
}

/** So many of the most popular matches are ranked, enough for a page of a heavy query … */
const candidatesOf = ({ weight }: WordQuery) => (weight > MAX_NEAR ? 101 : 200);
/** … and so many of those that match by title, tags, names and description alone … */
const HEAD_CANDIDATES = 200;
/** … and so many with the very title that was typed. */
const TITLE_CANDIDATES = 50;

/**
 * How many rows are looked up for what the index can't answer, before a search says how far it got:
 * fewer for a query of many words, which takes longer in each.
 */
const checksOf = ({ weight }: WordQuery) => Math.max(60, Math.min(1_000, Math.round(10_000 / weight)));

/** In how heavy a query the nearness of its words is measured; side by side they count in all. */
const MAX_NEAR = 40;

/** Of body, description, tags and names, title. */
const WEIGHTS = sql`'{0.05, 0.1, 0.4, 1}'::real[]`;
const TITLE_ONLY = sql`'{0, 0, 0, 1}'::real[]`;
const BODY_WEIGHTS = sql`'{0.2, 0.2, 0.2, 0.2}'::real[]`;

/** What a word in a title is to ts_rank. */
const IN_TITLE = sql`0.6079`;

/** How well an article answers; docs/search.md gives the reasons. */
function rankOf({ query, titleKey }: Condition): RawBuilder<number> {
  const { any, anyWhole, size, together, weight } = query;
  const near = sql`${size === 1 ? anyWhole.query : wholeOf(query)}::tsquery`;
  const terms = [
    sql`0.5 * least(${IN_TITLE}, ${inHead(WEIGHTS, any)}) + 0.5 * ${inHead(WEIGHTS, anyWhole)}`,
    sql`0.3 * least(1, ${size}::int * least(1, ${inHead(TITLE_ONLY, anyWhole)} / ${IN_TITLE})
      / cardinality(string_to_array(title_key, ' ')))`,
    ...(weight > MAX_NEAR ? [] : [sql`0.05 * ts_rank_cd(${BODY_WEIGHTS}, words, ${near}, 32)`]),
    ...(weight > MAX_NEAR || size === 1 ? [] : [sql`0.4 * ts_rank_cd(${WEIGHTS}, head, ${near}, 32)`]),
    ...(together === undefined ? [] : [sql`case when words @@ ${together}::tsquery then 0.4 else 0 end`]),
    sql`case when title_key = ${titleKey} then 10 else 0 end`,
    sql`0.01 * ln(1 + reactions)`,
    sql`0.01 * extract(epoch from published_at)::float8 / 31557600`,
  ];
  return sql`(${sql.join(terms, sql` + `)})::float8`;
}

/** How much of these stands in the head, on average of the query's conditions. */
function inHead(weights: RawBuilder<unknown>, { query, perCondition }: Lexemes): RawBuilder<number> {
  return sql`${perCondition}::float8 * ts_rank(${weights}, head, ${query}::tsquery)`;
}

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
      ${matching(condition, { after: undefined, skip: 0, limit: candidatesOf(condition.query), besides: undefined })}
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
      where (select count(*) filter (where is_match) = ${candidatesOf(condition.query)} or bool_or(not is_match) from found)
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
  /** Articles to leave out. */
  besides: readonly number[] | undefined;
}

export interface Matches {
  places: Place[];
  /** Where it stopped before it had found enough or seen all, and how many it had skipped by then. */
  reached: (Place & { skipped: number }) | undefined;
}

/** Gives matches, the most popular first. */
export async function mostPopular(db: Db, condition: Condition, part: Part): Promise<Matches> {
  const { rows } = await sql<Place & { is_match: boolean; skipped: number }>`
    select article_id, reactions, published_at, is_match, skipped
    from (${matching(condition, part)}) as found
    order by reactions desc, published_at desc, article_id desc, is_match desc`.execute(db);
  return {
    places: rows.filter(({ is_match }) => is_match),
    reached: rows.find(({ is_match }) => !is_match),
  };
}

/** The articles that `rank` gives wherever they stand in the order of popularity. */
export async function rankedAnyway(db: Db, condition: Condition): Promise<number[]> {
  const { rows } = await sql<{ article_id: number }>`
    select article_id from (${matchingByHead(condition)}) as ranked`.execute(db);
  return rows.map(({ article_id }) => article_id);
}

/** Gives those with the very title, the most popular first. */
export async function titled(db: Db, narrowing: Narrowing): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select article_id, reactions, published_at from (${matchingByTitle(narrowing)}) as found
    order by reactions desc, published_at desc, article_id desc`.execute(db);
  return rows;
}

interface Countable {
  /** The text of a tsquery. */
  matches: string;
  /** Counting stops here. */
  most: number;
}

/** Counts the published articles that each of these matches. */
export async function occurrences(db: Db, countables: readonly Countable[]): Promise<number[]> {
  if (countables.length === 0) return [];
  const matches = countables.map((countable) => countable.matches);
  const most = countables.map((countable) => countable.most);
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*)::int from search_matches(null, matches::tsquery, matches::tsquery, most => given.most)
    ) as count
    from unnest(${matches}::text[], ${most}::int[]) with ordinality as given (matches, most, place)
    order by place`.execute(db);
  return rows.map(({ count }) => count);
}

function matching(condition: Condition, { after, skip, limit, besides }: Part): RawBuilder<unknown> {
  const { query, since } = condition;
  return sql`
    select * from search_matches(
      ${parts(condition)}, is_phrase => ${query.exact !== undefined}, since => ${since ?? null}::timestamptz,
      besides => ${besides ?? null}::int[], before_reactions => ${after?.reactions ?? null}::int,
      before_date => ${after?.published_at ?? null}::timestamptz, before_id => ${after?.article_id ?? null}::int,
      skip => ${skip}::int, most => ${limit}::int, checks => ${checksOf(query)}::int)`;
}

/** What matches by its head alone or has the very title. */
function matchingByHead(condition: Condition): RawBuilder<unknown> {
  const { query, since } = condition;
  // What must stand nowhere may stand in the body.
  return sql`
    select * from search_head_matches(${parts(condition)}, ${since ?? null}::timestamptz, ${HEAD_CANDIDATES}::int)
    ${query.isExcluding ? sql`where words @@ ${wholeOf(query)}::tsquery` : sql``}
    union all (${matchingByTitle(condition, query.isExcluding)})`;
}

/** What has the very title; to the sign where a minus sign may mean that something is to be left out. */
function matchingByTitle(
  { typed, titleKey, marks, since }: Narrowing,
  isLiteral = false,
): RawBuilder<unknown> {
  const literally = sql`and exists (
    select from articles where articles.id = article_id and lower(articles.title) = lower(${typed.trim()}))`;
  return sql`
    select article_id, reactions, published_at, title_key, head, words from article_search
    where title_key = ${titleKey}
      ${isLiteral ? literally : sql``}
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
