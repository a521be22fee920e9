import { sql } from "kysely";
import type { WordQuery } from "../text/search-query.ts";

/** Filters of a search besides its words. */
export interface Narrowing {
  /** As it was typed. */
  typed: string;
  /** An article with this title is found whatever its other words are. */
  titleKey: string;
  /** A tsquery of filter lexemes that every article must have. */
  marks: string | undefined;
  since: Date | undefined;
  /** Articles with a later date are left out: they were published before the clock was set back. */
  now: Date;
}

export interface Condition extends Narrowing {
  query: WordQuery;
}

/** A place in the order of popularity. */
export interface Place {
  reactions: number;
  published_at: Date;
  article_id: number;
}

/** An article and the version of its cached text. */
export interface Ref {
  article_id: number;
  version: string;
}

/** A match in the order of popularity. */
export type PopularMatch = Place & Ref;

/** A match in the order of relevance. */
export type RankedMatch = Ref & { rank: number };

/** The most popular matches that are ranked because of their heads, and because of their title. */
const HEAD_CANDIDATES = 200;
const TITLE_CANDIDATES = 50;

/**
 * The rows that are checked for a condition that the index can't answer, before a search reports how far it
 * came: fewer for a query of many words, which takes longer in each row.
 */
const checksOf = ({ weight }: WordQuery) => Math.max(60, Math.min(1_000, Math.round(10_000 / weight)));

export interface PlanValues {
  wanted: string | null;
  ending: string | null;
  whole: string;
  isPhrase: boolean;
  since: Date | null;
  now: Date;
  checks: number;
}

export type TitleValues = Pick<PlanValues, "since" | "now"> & {
  titleKey: string;
  marks: string | null;
  /** The title to the letter, where a minus sign may mean an exclusion. */
  literal: string | null;
};

export function planValues({ query, marks, since, now }: Condition): PlanValues {
  const wanted = [query.others, marks].filter((part) => part !== undefined).join(" & ");
  return {
    wanted: wanted === "" ? null : wanted,
    ending: query.ending ?? null,
    whole: query.exact ?? query.loose,
    isPhrase: query.exact !== undefined,
    since: since ?? null,
    now,
    checks: checksOf(query),
  };
}

export function titleValues(
  { typed, titleKey, marks, since, now }: Narrowing,
  isLiteral: boolean,
): TitleValues {
  return {
    titleKey,
    marks: marks ?? null,
    since: since ?? null,
    now,
    literal: isLiteral ? typed.trim() : null,
  };
}

export type Value<Values> = (key: keyof Values & string) => ReturnType<typeof sql>;

export const PLAN = (value: Value<PlanValues>) => sql`
  asked as materialized (select * from search_plan(
    ${value("wanted")}::tsquery, ${value("ending")}::tsquery, ${value("whole")}::tsquery, ${value("isPhrase")}::boolean))`;

/** Matches by head alone; what must not occur may still stand in the body. */
export const HEADS = (value: Value<PlanValues & { isExcluding: boolean }>) => sql`
  select heads.* from asked, search_head_matches(
    looked_up, ${value("whole")}::tsquery, ${value("since")}::timestamptz, ${sql.lit(HEAD_CANDIDATES)}) as heads
  where not ${value("isExcluding")}::boolean or words @@ ${value("whole")}::tsquery`;

export const TITLED = (value: Value<TitleValues>) => sql`
  select article_id, reactions, published_at, title_key, head, words from article_search
  where title_key = ${value("titleKey")}
    and (${value("literal")}::text is null or exists (
      select from articles where articles.id = article_id and lower(title) = lower(${value("literal")}::text)))
    and (${value("marks")}::text is null or words @@ ${value("marks")}::tsquery)
    and (${value("since")}::timestamptz is null or published_at > ${value("since")}::timestamptz)
  order by reactions desc, published_at desc, article_id desc limit ${sql.lit(TITLE_CANDIDATES)}`;

/** The version of an article that is public by now. The limit keeps the planner from scanning all articles for a join. */
export const PRESENT = (value: Value<{ now: Date }>, rows: "page" | "others" | "found") => sql`
  lateral (
    select version from published_articles as listed
    where listed.article_id = ${sql.ref(`${rows}.article_id`)} and listed.published_at <= ${value("now")}::timestamptz
    limit 1
  ) as present`;

/** JSON has dates as texts. */
export type Dated<T> = T extends { published_at: Date }
  ? Omit<T, "published_at"> & { published_at: string }
  : T;

export function dated<T extends { published_at: string }>(
  row: T,
): Omit<T, "published_at"> & { published_at: Date } {
  return { ...row, published_at: new Date(row.published_at) };
}
