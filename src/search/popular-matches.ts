import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import {
  type Condition,
  type Dated,
  dated,
  type Narrowing,
  PLAN,
  type Place,
  type PlanValues,
  planValues,
  type PopularMatch,
  PRESENT,
  TITLED,
  type TitleValues,
  titleValues,
} from "./conditions.ts";

const MOST_POPULAR_FIRST = sql`reactions desc, published_at desc, article_id desc`;

/** Part of the matches in the order of popularity: `limit` of them, behind a place and `skip` further on. */
export interface Part {
  after: Place | undefined;
  skip: number;
  limit: number;
  /** Articles to leave out. */
  besides: readonly number[] | undefined;
}

export interface Matches {
  matches: PopularMatch[];
  /** The last of the rows that were checked where they gave too few, and the number of matches skipped by then. */
  reached: { place: Place; skipped: number } | undefined;
}

type PopularValues = PlanValues & {
  besides: readonly number[] | null;
  beforeReactions: number | null;
  beforeDate: Date | null;
  beforeId: number | null;
  skip: number;
  limit: number;
};

interface PopularRow {
  matches: Dated<PopularMatch>[];
  reached: (Dated<Place> & { skipped: number }) | null;
}

const popularStatement = prepare<PopularValues, PopularRow>((value) => {
  const part = sql`${value("since")}::timestamptz, ${value("besides")}::int[], ${value("beforeReactions")}::int,
    ${value("beforeDate")}::timestamptz, ${value("beforeId")}::int`;
  return sql`
  with ${PLAN(value)}, found as materialized (
    select matches.* from asked, search_matches(looked_up, checked, ${part}, case when checked is null then
      ${value("skip")}::int else 0 end, ${value("limit")}::int + case when checked is null then 0 else ${value("skip")}::int end,
      ${value("checks")}::int) as matches
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
      from asked, search_matches(looked_up, null, ${part}, ${value("checks")}::int - 1, 1, 1)
      where checked is not null and (select count(*) from page) < ${value("limit")}::int) as reached`;
});

/** Gives matches, the most popular first. */
export async function mostPopular(db: Db, condition: Condition, part: Part): Promise<Matches> {
  const [row] = await popularStatement(db, {
    ...planValues(condition),
    besides: part.besides ?? null,
    beforeReactions: part.after?.reactions ?? null,
    beforeDate: part.after?.published_at ?? null,
    beforeId: part.after?.article_id ?? null,
    skip: part.skip,
    limit: part.limit,
  });
  const { matches, reached } = row as PopularRow;
  return {
    matches: matches.map(dated),
    reached: reached ? { place: dated(reached), skipped: reached.skipped } : undefined,
  };
}

/** Gives those with this very title, the most popular first. */
export async function titled(db: Db, narrowing: Narrowing): Promise<PopularMatch[]> {
  return titledStatement(db, titleValues(narrowing, false));
}

const titledStatement = prepare<TitleValues, PopularMatch>(
  (value) => sql`
  select article_id, found.reactions, found.published_at, version
  from (${TITLED(value)}) as found cross join ${PRESENT(value, "found")}
  order by found.reactions desc, found.published_at desc, article_id desc`,
);

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
      select count(*)::int from search_matches(matches::tsquery, null, null, null, null, null, null, 0, given.most, 1)
    ) as count
    from unnest(${matches}::text[], ${most}::int[]) with ordinality as given (matches, most, place)
    order by place`.execute(db);
  return rows.map(({ count }) => count);
}
