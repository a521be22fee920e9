import { type RawBuilder, sql } from "kysely";
import { weekOf } from "../../search/tokens.ts";
import type { ListFilter, ListPart } from "./filter.ts";
import type { OrderName } from "./orders.ts";

const FILTERS = [
  "tag",
  "anyTagIds",
  "noTagIds",
  "authorId",
  "organizationId",
  "collectionId",
  "publishedAfter",
  "reactions",
  "scoreAbove",
  "hasVideo",
] as const satisfies (keyof ListFilter)[];
type Filter = (typeof FILTERS)[number];

/** All of a list that its SQL depends on: lists of one shape differ in values alone. */
export interface Shape {
  order: OrderName;
  filters: readonly Filter[];
  /** The branches that it is merged from, see `Branches`. */
  byTag: boolean;
  byWeek: boolean;
  isBehindCursor: boolean;
  /** Whether the offset is so deep that an index finds the page and only its rows are fetched. */
  isDeep: boolean;
  /** Whether it is asked for so often that its statement is prepared; then values don't decide how it is planned. */
  isPrepared: boolean;
}

/** Up to here, fetching the skipped rows too costs less than joining those of the page. */
const DEEP_OFFSET = 300;

/** The filters of prepared statements, of which connections keep no more than a few dozen. */
const PREPARED = [
  [],
  ["tag"],
  ["anyTagIds"],
  ["authorId"],
  ["organizationId"],
  ["collectionId"],
  ["publishedAfter"],
  ["tag", "publishedAfter"],
  ["scoreAbove", "hasVideo"],
].map((filters) => filters.join());

export function shapeOf(filter: ListPart): Shape {
  const branches = branchesOf(filter);
  const filters = FILTERS.filter((name) => isGiven(filter[name]));
  const byTag = branches?.byTag === true;
  return {
    order: filter.order,
    filters,
    byTag,
    byWeek: branches?.weeks !== undefined,
    isBehindCursor: filter.after !== undefined,
    isDeep: filter.offset > DEEP_OFFSET && filter.tag === undefined && branches === undefined,
    isPrepared: PREPARED.includes(filters.join()) && byTag === filters.includes("anyTagIds"),
  };
}

/** Equal for equal shapes. */
export function keyOf({ order, filters, byTag, byWeek, isBehindCursor, isDeep }: Shape): string {
  return `${order} ${filters.join()} ${byTag} ${byWeek} ${isBehindCursor} ${isDeep}`;
}

function isGiven(value: ListFilter[Filter]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** The type of each value of a statement. */
const TYPES = {
  tag: "text",
  anyTagIds: "int[]",
  noTagIds: "int[]",
  authorId: "int",
  organizationId: "int",
  collectionId: "int",
  publishedAfter: "timestamptz",
  now: "timestamptz",
  fromWeek: "int",
  toWeek: "int",
  fromReactions: "int",
  toReactions: "int",
  scoreAbove: "int",
  afterValue: "int",
  afterDate: "timestamptz",
  afterId: "int",
  limit: "int",
  offset: "int",
};
export type Values = Partial<Record<keyof typeof TYPES, unknown>>;
/** Writes a value into SQL. */
export type Value = (key: keyof Values) => RawBuilder<unknown>;

export function valuesOf(filter: ListPart): Values {
  const { reactions, after, ...values } = filter;
  const weeks = branchesOf(filter)?.weeks;
  return {
    ...values,
    fromWeek: weeks?.from,
    toWeek: weeks?.to,
    fromReactions: reactions?.from,
    toReactions: reactions?.to,
    afterValue: after?.value,
    afterDate: after?.published_at,
    afterId: after?.article_id,
  };
}

/**
 * Writes values with their types, those of prepared statements out of the planner's sight: if it saw the limit, it
 * would expect a plan for each page to be worth making.
 */
export function typed(value: Value, { isPrepared }: Pick<Shape, "isPrepared">): Value {
  return (key) => {
    const given = sql`${value(key)}::${sql.raw(TYPES[key])}`;
    return isPrepared ? sql`(select ${given})` : given;
  };
}

/** The parts that a list is merged from: an index holds each in the list's order, so only its first rows are read. */
interface Branches {
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
function branchesOf(filter: ListPart): Branches | undefined {
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
