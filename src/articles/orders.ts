import { type RawBuilder, sql } from "kysely";

/** The columns that every list of published articles can be ordered by, whatever table it starts from. */
export interface Listed {
  article_id: number;
  published_at: Date;
  reactions: number;
  hotness: number;
}

/**
 * An order of published articles. All end in the date and the number, so that equal articles keep
 * their place from page to page.
 */
export interface Order {
  by: RawBuilder<unknown>;
  /** SQL that holds for what comes after the row with these values. */
  after(values: Values): RawBuilder<boolean>;
  /** Where in the order a row stands, for a cursor. */
  valuesOf(row: Listed): Values;
  /** What kind of value each of them is. */
  kinds: readonly ValueKind[];
}

export type Values = readonly (string | number)[];
export type ValueKind = "int" | "float" | "date";

const MAX_INT = 2_147_483_647;
const IS_KIND: Record<ValueKind, (value: string | number | undefined) => boolean> = {
  int: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT,
  float: (value) => Number.isFinite(value),
  date: (value) => typeof value === "string" && isInstant(value),
};

/** Whether a text is an instant as `toISOString` writes it, and one that PostgreSQL knows: it has no year 0. */
function isInstant(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && date.getUTCFullYear() > 0;
}

/** Whether a cursor's values are such as this order gives: a cursor comes from outside. */
export function areValues(values: Values, kinds: readonly ValueKind[]): boolean {
  return values.length === kinds.length && kinds.every((kind, index) => IS_KIND[kind](values[index]));
}

function descending(column: "hotness" | "reactions"): Order {
  const ref = sql.ref(column);
  return {
    by: sql`${ref} desc, published_at desc, article_id desc`,
    after: ([value, date, id]) =>
      sql`(${ref}, published_at, article_id) < (${value}::int, ${date}::timestamptz, ${id}::int)`,
    valuesOf: (row) => [row[column], row.published_at.toISOString(), row.article_id],
    kinds: ["int", "date", "int"],
  };
}

export const ORDERS = {
  hotness: descending("hotness"),
  reactions: descending("reactions"),
  newest: {
    by: sql`published_at desc, article_id desc`,
    after: ([date, id]) => sql`(published_at, article_id) < (${date}::timestamptz, ${id}::int)`,
    valuesOf: (row) => [row.published_at.toISOString(), row.article_id],
    kinds: ["date", "int"],
  },
  oldest: {
    by: sql`published_at, article_id desc`,
    after: ([date, id]) =>
      sql`published_at >= ${date}::timestamptz and (published_at > ${date}::timestamptz or article_id < ${id}::int)`,
    valuesOf: (row) => [row.published_at.toISOString(), row.article_id],
    kinds: ["date", "int"],
  },
} satisfies Record<string, Order>;
export type OrderName = keyof typeof ORDERS;
