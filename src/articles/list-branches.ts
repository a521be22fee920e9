import { weekOf } from "../search/filter-tokens.ts";
import type { ListFilter } from "./list-filter.ts";

/** The parts that a list is merged from: an index holds each in the list's order, so only its first rows are read. */
export interface Branches {
  /** Each of `anyTagIds`. */
  byTag: boolean;
  /** The weeks since `publishedAfter`. */
  weeks: { from: number; to: number } | undefined;
}

/** Enough for 180 days. A longer time holds so much of the site that walking past the rest costs less. */
const MAX_WEEKS = 27;

/** The rows that may be read from all branches together: a deep offset is better counted off once than in each. */
const MAX_ROWS = 20_000;

/** The branches of a list: weeks, tags, or the weeks of tags. Undefined for a list that is in one piece. */
export function branchesOf(filter: ListFilter): Branches | undefined {
  if (isOfOne(filter)) return undefined;
  const weeks = weeksOf(filter);
  const tagIds = filter.tag === undefined ? filter.anyTagIds : undefined;
  if (weeks === undefined && tagIds === undefined) return undefined;
  const count = (weeks ? weeks.to - weeks.from + 1 : 1) * (tagIds?.length ?? 1);
  if (count * (filter.limit + filter.offset) > MAX_ROWS) return undefined;
  return { byTag: tagIds !== undefined, weeks };
}

/** Whether all articles belong to one author, organization or series: those are few. */
function isOfOne({ authorId, organizationId, collectionId }: ListFilter): boolean {
  return (authorId ?? organizationId ?? collectionId) !== undefined;
}

function weeksOf({ order, publishedAfter, now }: ListFilter): Branches["weeks"] {
  if (order !== "reactions" || publishedAfter === undefined) return undefined;
  const weeks = { from: weekOf(publishedAfter), to: weekOf(now) };
  return weeks.to - weeks.from < MAX_WEEKS ? weeks : undefined;
}
