import { type RawBuilder, sql } from "kysely";
import { weekOf } from "../search/marks.ts";
import type { ListFilter } from "./list-queries.ts";

/**
 * What a list is merged from: an index holds each branch in the list's order, so that only its
 * first rows are read.
 */
export interface Branches {
  /** SQL for a row per branch. */
  from: RawBuilder<unknown>;
  /** What holds for the rows of a branch. */
  conditions: RawBuilder<unknown>[];
  /** Whether each tag has a branch of its own; its condition is then among these. */
  areTags: boolean;
  /** Whether each week has; the date's condition is then among these. */
  areWeeks: boolean;
}

/** Enough for 180 days. A longer time holds so much of the site that walking past the rest costs less. */
const MAX_WEEKS = 27;

/** How many rows may be read from all branches together: a deep offset is better counted off once than in each. */
const MAX_ROWS = 20_000;

/** The branches of a list: weeks, tags, or the weeks of tags. Undefined for a list that is in one piece. */
export function branchesOf(filter: ListFilter): Branches | undefined {
  if (isOfOne(filter)) return undefined;
  const weeks = weeksOf(filter);
  const tagIds = filter.tagId === undefined ? filter.anyTagIds : undefined;
  if (weeks === undefined && tagIds === undefined) return undefined;
  const count = (weeks ? weeks.to - weeks.from + 1 : 1) * (tagIds?.length ?? 1);
  if (count * (filter.limit + filter.offset) > MAX_ROWS) return undefined;
  const from = [
    ...(tagIds ? [sql`unnest(${tagIds}::int[]) as branch_tag`] : []),
    ...(weeks ? [sql`generate_series(${weeks.from}::int, ${weeks.to}::int) as branch_week`] : []),
  ];
  const conditions = [...(tagIds ? [sql`tag_id = branch_tag`] : []), ...(weeks ? [isInWeek(weeks)] : [])];
  return {
    from: sql.join(from, sql` cross join `),
    conditions,
    areTags: tagIds !== undefined,
    areWeeks: weeks !== undefined,
  };
}

interface Weeks {
  from: number;
  to: number;
  /** When in the first week they begin. */
  after: Date;
}

/**
 * The date is compared in the first week only: PostgreSQL takes date and week for independent of each
 * other, and would expect next to nothing of a week after a late date.
 */
function isInWeek({ from, after }: Weeks): RawBuilder<unknown> {
  return sql`week = branch_week
    and published_at > case branch_week when ${from}::int then ${after}::timestamptz else '-infinity' end`;
}

/** Whether all articles belong to one author, organization or series: those are few. */
function isOfOne({ authorId, organizationId, collectionId }: ListFilter): boolean {
  return (authorId ?? organizationId ?? collectionId) !== undefined;
}

function weeksOf({ order, publishedAfter, now }: ListFilter): Weeks | undefined {
  if (order !== "reactions" || publishedAfter === undefined) return undefined;
  const weeks = { from: weekOf(publishedAfter), to: weekOf(now), after: publishedAfter };
  return weeks.to - weeks.from < MAX_WEEKS ? weeks : undefined;
}
