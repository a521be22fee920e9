import { type RawBuilder, sql } from "kysely";
import type { Cut } from "../../../http/pages.ts";
import { weekOf } from "../../../search/rows.ts";
import type { OrderName, SortKey } from "./orders.ts";

export interface Conditions {
  /** A tag in stored spelling; an alias stands for its tag. */
  tag?: string | undefined;
  anyTagIds?: number[] | undefined;
  noTagIds?: number[] | undefined;
  authorId?: number | undefined;
  organizationId?: number | undefined;
  collectionId?: number | undefined;
  publishedAfter?: Date | undefined;
  reactions?: { from: number; to: number } | undefined;
  scoreAbove?: number | undefined;
  hasVideo?: true | undefined;
}

export interface ListFilter extends Conditions {
  order: OrderName;
  /** Articles with a later date are left out: they were published before the clock was set back. */
  now: Date;
}

export type ListCut = ListFilter & Cut<SortKey>;

const DAY_MS = 86_400_000;

export function daysAgo(days: number, now: Date): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

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
export type Filter = (typeof FILTERS)[number];

/** Up to here, fetching the skipped rows is cheaper than a join. */
const DEEP_OFFSET = 300;

/** Connections keep a few dozen statements. */
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

/** Lists of one shape differ only in values. */
export function shapeOf(filter: ListCut) {
  const branches = branchesOf(filter);
  const filters = FILTERS.filter((name) => isGiven(filter[name]));
  const byTag = branches?.byTag === true;
  return {
    order: filter.order,
    filters,
    byTag,
    byWeek: branches?.weeks !== undefined,
    isBehindCursor: filter.after !== undefined,
    // An index finds a deep page, and only its rows are fetched.
    isDeep: filter.offset > DEEP_OFFSET && filter.tag === undefined && branches === undefined,
    // Frequent shapes are prepared, and planned without values.
    isPrepared: PREPARED.includes(filters.join()) && byTag === filters.includes("anyTagIds"),
  };
}
export type Shape = ReturnType<typeof shapeOf>;

function isGiven(value: ListFilter[Filter]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

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
export type Value = (key: keyof Values) => RawBuilder<unknown>;

export function valuesOf(filter: ListCut): Values {
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
 * Hides the values of prepared statements from the planner: with the limit in sight, it would plan each page anew.
 */
export function typed(value: Value, { isPrepared }: Pick<Shape, "isPrepared">): Value {
  return (key) => {
    const given = sql`${value(key)}::${sql.raw(TYPES[key])}`;
    return isPrepared ? sql`(select ${given})` : given;
  };
}

/** 180 days. A longer range is cheaper to scan. */
const MAX_WEEKS = 27;

/** A deep offset is better counted once than in each branch. */
const MAX_ROWS = 20_000;

/**
 * An index has each branch, a tag or a week, in the list's order, so only its first rows are read. Undefined for a
 * list in one piece.
 */
function branchesOf(filter: ListCut) {
  const { authorId, organizationId, collectionId } = filter;
  // The list of an author, an organization or a series is short.
  if ((authorId ?? organizationId ?? collectionId) !== undefined) return undefined;
  const weeks = weeksOf(filter);
  const tagIds = filter.tag === undefined ? filter.anyTagIds : undefined;
  if (weeks === undefined && tagIds === undefined) return undefined;
  const count = (weeks ? weeks.to - weeks.from + 1 : 1) * (tagIds?.length ?? 1);
  if (count * (filter.limit + filter.offset) > MAX_ROWS) return undefined;
  return { byTag: tagIds !== undefined, weeks };
}

function weeksOf({ order, publishedAfter, now }: ListFilter): { from: number; to: number } | undefined {
  if (order !== "reactions" || publishedAfter === undefined) return undefined;
  const weeks = { from: weekOf(publishedAfter), to: weekOf(now) };
  return weeks.to - weeks.from < MAX_WEEKS ? weeks : undefined;
}
