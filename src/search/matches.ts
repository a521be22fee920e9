import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import type { WordQuery } from "./query.ts";

export interface Narrowing {
  typed: string;
  /** An article with this title is found whatever its other words are. */
  titleKey: string;
  filterTokens: string | undefined;
  since: Date | undefined;
  /** Later dates were published before the clock was set back. */
  now: Date;
}

export interface WordSearch extends Narrowing {
  query: WordQuery;
}

export interface SortKey {
  reactions: number;
  /** A text, as JSON has it. */
  published_at: string;
  article_id: number;
}

export interface Ref {
  article_id: number;
  version: string;
}

export type PopularMatch = SortKey & Ref;

export type RankedMatch = Ref & { rank: number };

const HEAD_CANDIDATES = 200;
const TITLE_CANDIDATES = 50;

/** The rows to check for a condition that the index can't answer: fewer for queries of many words. */
const checksOf = ({ weight }: WordQuery) => Math.max(60, Math.min(1_000, Math.round(10_000 / weight)));

export function planValues({ query, filterTokens, since, now }: WordSearch) {
  return {
    lookedUp: filterTokens === undefined ? query.loose : `(${query.loose}) & (${filterTokens})`,
    whole: query.exact ?? query.loose,
    checked: query.exact ?? null,
    since: since ?? null,
    now,
    checks: checksOf(query),
    isExcluding: query.isExcluding,
  };
}
export type PlanValues = ReturnType<typeof planValues>;

export function titleValues({ typed, titleKey, filterTokens, since, now }: Narrowing, isLiteral: boolean) {
  return {
    titleKey,
    filterTokens: filterTokens ?? null,
    since: since ?? null,
    now,
    // The title to the letter, where a minus sign may mean an exclusion.
    literal: isLiteral ? typed.trim() : null,
  };
}
export type TitleValues = ReturnType<typeof titleValues>;

export type Value<Values> = (key: keyof Values & string) => ReturnType<typeof sql>;

/** The index answers `looked_up`. Rows must also match `checked`, which is null if the index answers all. */
export const PLAN = (value: Value<PlanValues>) => sql`
  asked as materialized (
    select ${value("lookedUp")}::tsquery as looked_up, ${value("checked")}::tsquery as checked
  )`;

/** An excluded word may still be in the body. */
export const HEADS = (value: Value<PlanValues>) => sql`
  select heads.* from asked, search_head_matches(
    looked_up, ${value("whole")}::tsquery, ${value("since")}::timestamptz, ${sql.lit(HEAD_CANDIDATES)}) as heads
  where not ${value("isExcluding")}::boolean or words @@ ${value("whole")}::tsquery`;

export const TITLED = (value: Value<TitleValues>) => sql`
  select article_id, reactions, published_at, title_key, head, words from article_search
  where title_key = ${value("titleKey")}
    and (${value("literal")}::text is null or exists (
      select from articles where articles.id = article_id and lower(title) = lower(${value("literal")}::text)))
    and (${value("filterTokens")}::text is null or words @@ ${value("filterTokens")}::tsquery)
    and (${value("since")}::timestamptz is null or published_at > ${value("since")}::timestamptz)
  order by reactions desc, published_at desc, article_id desc limit ${sql.lit(TITLE_CANDIDATES)}`;

/** The limit keeps the planner from scanning all articles for a join. */
export const PRESENT = (value: Value<{ now: Date }>, rows: "page" | "others" | "found") => sql`
  lateral (
    select version from published_articles as listed
    where listed.article_id = ${sql.ref(`${rows}.article_id`)} and listed.published_at <= ${value("now")}::timestamptz
    limit 1
  ) as present`;

const MOST_POPULAR_FIRST = sql`reactions desc, published_at desc, article_id desc`;

/** Part of the matches in the order of popularity: `limit` of them, behind a key and `skip` further on. */
export interface PopularPart {
  after: SortKey | undefined;
  skip: number;
  limit: number;
  besides: readonly number[] | null;
}

function popularValues(words: WordSearch, { after, besides, skip, limit }: PopularPart) {
  return {
    ...planValues(words),
    besides,
    beforeReactions: after?.reactions ?? null,
    beforeDate: after?.published_at ?? null,
    beforeId: after?.article_id ?? null,
    skip,
    limit,
  };
}

interface PopularRow {
  matches: PopularMatch[];
  /** The last checked row, if there were too few matches. */
  reached: (SortKey & { skipped: number }) | null;
}

const popularStatement = prepare<ReturnType<typeof popularValues>, PopularRow>((value) => {
  const part = sql`${value("since")}::timestamptz, ${value("besides")}::int[], ${value("beforeReactions")}::int,
    ${value("beforeDate")}::timestamptz, ${value("beforeId")}::int`;
  return sql`
  with ${PLAN(value)}, looked_at as materialized (
    select matches.* from asked, search_matches(looked_up, checked, ${part}, case when checked is null then
      ${value("skip")}::int else 0 end, ${value("limit")}::int + case when checked is null then 0 else ${value("skip")}::int end,
      ${value("checks")}::int) as matches
  ), found as materialized (
    select article_id, reactions, published_at from looked_at where is_match
  ), page as materialized (
    select article_id, reactions, published_at from found order by ${MOST_POPULAR_FIRST}
    offset (select case when checked is null then 0 else ${value("skip")}::int end from asked)
  )
  select
    (select coalesce(json_agg(json_build_object('article_id', article_id, 'reactions', page.reactions,
      'published_at', page.published_at, 'version', version::text)
      order by page.reactions desc, page.published_at desc, article_id desc), '[]')
      from page cross join ${PRESENT(value, "page")}) as matches,
    (select json_build_object('article_id', article_id, 'reactions', reactions, 'published_at', published_at,
      'skipped', least(${value("skip")}::int, (select count(*) from found)))
      from asked, looked_at
      where checked is not null and place = ${value("checks")}::int
        and (select count(*) from page) < ${value("limit")}::int) as reached`;
});

export async function mostPopular(db: Db, words: WordSearch, part: PopularPart): Promise<PopularRow> {
  const [row] = await popularStatement(db, popularValues(words, part));
  return row as PopularRow;
}

export function titled(db: Db, narrowing: Narrowing): Promise<PopularMatch[]> {
  return titledStatement(db, titleValues(narrowing, false));
}

const titledStatement = prepare<TitleValues, PopularMatch>(
  (value) => sql`
  select article_id, found.reactions, to_json(found.published_at) as published_at, version
  from (${TITLED(value)}) as found cross join ${PRESENT(value, "found")}
  order by found.reactions desc, found.published_at desc, article_id desc`,
);

interface Countable {
  matches: string;
  /** Counting stops here. */
  most: number;
}

export async function occurrences(db: Db, countables: readonly Countable[]): Promise<number[]> {
  if (countables.length === 0) return [];
  const matches = countables.map((countable) => countable.matches);
  const most = countables.map((countable) => countable.most);
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*)::int from search_matches(matches::tsquery, null, null, null, null, null, null, 0, given.most, 1)
    ) as count
    from unnest(${matches}::text[], ${most}::int[]) with ordinality as given (matches, most, place)
    order by place`.execute(db);
  return rows.map(({ count }) => count);
}
