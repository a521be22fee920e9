import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import type { Part } from "../http/pages.ts";
import {
  type WordSearch,
  HEADS,
  PLAN,
  type SortKey,
  type PlanValues,
  planValues,
  type PopularMatch,
  PRESENT,
  type RankedMatch,
  TITLED,
  type TitleValues,
  titleValues,
  type Value,
} from "./matches.ts";
import type { WordQuery } from "./query.ts";

/** Nearness costs more with each word. */
const MAX_NEAR = 40;

/** Weights of body, description, tags and names, title. */
const WEIGHTS = sql`'{0.05, 0.1, 0.4, 1}'::real[]`;
const BODY_WEIGHTS = sql`'{0.2, 0.2, 0.2, 0.2}'::real[]`;
const TITLE_ONLY = sql`'{0, 0, 0, 1}'::real[]`;

/** The value of ts_rank for one word in a title. */
const IN_TITLE = sql`0.6079`;

function rankValues({ any, anyWhole, size, weight, together, exact, loose }: WordQuery) {
  return {
    any: any.query,
    anyPerCondition: any.perCondition,
    anyWhole: anyWhole.query,
    anyWholePerCondition: anyWhole.perCondition,
    size,
    near: size === 1 || weight > MAX_NEAR ? null : (exact ?? loose),
    nearInBody: weight > MAX_NEAR ? null : size === 1 ? anyWhole.query : (exact ?? loose),
    together: together ?? null,
  };
}
type RankValues = ReturnType<typeof rankValues> & Pick<TitleValues, "titleKey">;

/** The best matches, whose bodies are read: that costs more than all the rest. */
const BEST = 40;

function RANK_OF_BEST(value: (key: keyof RankValues) => RawBuilder<unknown>): RawBuilder<number> {
  return sql`case when ${value("nearInBody")}::text is null then rank
    else rank + 0.05 * ts_rank_cd(${BODY_WEIGHTS}, words, ${value("nearInBody")}::tsquery, 32) end`;
}

/**
 * How well an article answers by its head; docs/search.md gives the reasons. Bodies are read only for words
 * that may stand side by side.
 */
function RANK(value: (key: keyof RankValues) => RawBuilder<unknown>): RawBuilder<number> {
  const inHead = (weights: RawBuilder<unknown>, lexemes: "any" | "anyWhole") =>
    sql`${value(`${lexemes}PerCondition`)}::float8 * ts_rank(${weights}, head, ${value(lexemes)}::tsquery)`;
  return sql`(
    0.5 * least(${IN_TITLE}, ${inHead(WEIGHTS, "any")}) + 0.5 * ${inHead(WEIGHTS, "anyWhole")}
    + 0.3 * least(1, ${value("size")}::int * least(1, ${inHead(TITLE_ONLY, "anyWhole")} / ${IN_TITLE})
        / cardinality(string_to_array(title_key, ' ')))
    -- Otherwise its value is 0, and finding that out takes several times as long.
    + case when head @@ ${value("near")}::tsquery
        then 0.4 * ts_rank_cd(${WEIGHTS}, head, ${value("near")}::tsquery, 32) else 0 end
    + case when ${value("together")}::text is null then 0
        when words @@ ${value("together")}::tsquery then 0.4 else 0 end
    + case when title_key = ${value("titleKey")} then 10 else 0 end
    + 0.01 * ln(1 + reactions) + 0.01 * extract(epoch from published_at)::float8 / 31557600)::float8`;
}

/** Three words and more are often a phrase of a less popular text. */
const candidatesOf = ({ size }: WordQuery) => (size > 1 ? 200 : 100);

function rankedValues(
  search: WordSearch,
  { limit, offset, after }: Part<Pick<RankedMatch, "rank" | "article_id">>,
) {
  const { query } = search;
  return {
    ...planValues(search),
    ...titleValues(search, query.isExcluding),
    ...rankValues(query),
    candidates: candidatesOf(query),
    limit,
    offset,
    afterRank: after?.rank ?? null,
    afterId: after?.article_id ?? 0,
  };
}
type RankedValues = ReturnType<typeof rankedValues>;

interface RankedRow {
  ranked: RankedMatch[];
  others: PopularMatch[];
  /** Where the order of popularity goes on; null if `others` fills the page. */
  rest: (SortKey & { skip: number; besides: number[] | null }) | null;
}

const FOUND = (value: Value<RankedValues>) => sql`
  looked_at as materialized (
    select matches.* from asked, search_matches(looked_up, checked, ${value("since")}::timestamptz, null,
      null, null, null, 0, ${value("candidates")}::int, ${value("checks")}::int) as matches
  ), found as materialized (
    select article_id, reactions, published_at, title_key, head, words from looked_at where is_match
  ), behind as (
    -- The last of the candidates, or of the rows that were checked where they gave too few.
    (select reactions, published_at, article_id from found
      where (select count(*) from found) = ${value("candidates")}::int
      order by reactions, published_at, article_id limit 1)
    union all
    select reactions, published_at, article_id from asked, looked_at
    where checked is not null and place = ${value("checks")}::int
      and (select count(*) from found) < ${value("candidates")}::int
  )`;

const rankedStatement = prepare<RankedValues, RankedRow>(
  (value) => sql`
  with ${PLAN(value)}, ${FOUND(value)}, by_head as materialized (
    select article_id, words, ${RANK(value)} as rank
    from (
      select distinct on (article_id) * from (
        select * from found union all (${HEADS(value)}) union all (${TITLED(value)})
      ) as candidate
    ) as candidate
  ), best as materialized (
    select * from by_head order by rank desc, article_id desc limit ${sql.lit(BEST)}
  ), ranked as materialized (
    select article_id, ${RANK_OF_BEST(value)} as rank from best
    union all
    (select article_id, rank from by_head order by rank desc, article_id desc offset ${sql.lit(BEST)})
  ), start as (
    select case when ${value("afterRank")}::float8 is null then ${value("offset")}::int
      else count(*) filter (where (rank, article_id) >= (${value("afterRank")}::float8, ${value("afterId")}::int)) end as at,
      count(*) as total
    from ranked
  ), page as materialized (
    select article_id, rank from ranked order by rank desc, article_id desc
    limit ${value("limit")}::int offset (select at from start)
  ), others as materialized (
    select matches.article_id, matches.reactions, matches.published_at
    from asked, start, behind, search_matches(looked_up, null, ${value("since")}::timestamptz,
      (select array_agg(article_id) from ranked), behind.reactions, behind.published_at, behind.article_id,
      greatest(0, start.at - total)::int, ${value("limit")}::int - (select count(*)::int from page), 1) as matches
    where checked is null and (select count(*) from page) < ${value("limit")}::int
  )
  select
    (select coalesce(json_agg(json_build_object('article_id', article_id, 'rank', rank, 'version', version::text)
      order by rank desc, article_id desc), '[]') from page cross join ${PRESENT(value, "page")}) as ranked,
    (select coalesce(json_agg(json_build_object('article_id', article_id, 'reactions', others.reactions,
      'published_at', others.published_at, 'version', version::text)
      order by others.reactions desc, others.published_at desc, article_id desc), '[]')
      from others cross join ${PRESENT(value, "others")}) as others,
    (select json_build_object('reactions', behind.reactions, 'published_at', behind.published_at,
      'article_id', behind.article_id, 'skip', greatest(0, at - total),
      'besides', (select json_agg(article_id) from ranked))
      from asked, start, behind
      where checked is not null and (select count(*) from page) < ${value("limit")}::int) as rest`,
);

export async function rankedPage(
  db: Db,
  search: WordSearch,
  part: Part<Pick<RankedMatch, "rank" | "article_id">>,
): Promise<RankedRow> {
  const [row] = await rankedStatement(db, rankedValues(search, part));
  return row as RankedRow;
}

const alsoRankedStatement = prepare<PlanValues & TitleValues, { article_id: number }>(
  (value) => sql`
  with ${PLAN(value)}
  select article_id from ((${HEADS(value)}) union all (${TITLED(value)})) as ranked`,
);

/** Ranked wherever they are in the order of popularity. */
export async function alsoRanked(db: Db, condition: WordSearch): Promise<number[]> {
  const values = { ...planValues(condition), ...titleValues(condition, condition.query.isExcluding) };
  const rows = await alsoRankedStatement(db, values);
  return rows.map(({ article_id }) => article_id);
}
