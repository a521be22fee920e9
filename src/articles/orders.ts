import { type RawBuilder, sql } from "kysely";
import type { ValueKind, Values } from "../http/cursor-values.ts";

/** Where a published article stands in a list. */
export interface Listed {
  article_id: number;
  published_at: Date;
  /** The number that the list is ordered by before the date; 0 in a list by date alone. */
  value: number;
}

/**
 * An order of published articles. All end in the date and the number, so that equal articles keep
 * their place from page to page.
 */
export interface Order {
  /** The columns that it is made of. Where only these are read, an index holds all there is to read. */
  columns: RawBuilder<unknown>;
  value: RawBuilder<number>;
  by: RawBuilder<unknown>;
  /** SQL that holds for what comes after the row with these values. */
  after(values: Values): RawBuilder<boolean>;
  /** Where in the order a row stands, for a cursor. */
  valuesOf(row: Listed): Values;
  /** What kind of value each of them is. */
  kinds: readonly ValueKind[];
}

function descending(column: "hotness" | "reactions"): Order {
  const ref = sql.ref(column);
  return {
    columns: sql`${ref}, published_at, article_id`,
    value: sql`${ref}`,
    by: sql`${ref} desc, published_at desc, article_id desc`,
    after: ([value, date, id]) =>
      sql`(${ref}, published_at, article_id) < (${value}::int, ${date}::timestamptz, ${id}::int)`,
    valuesOf: (row) => [row.value, row.published_at.toISOString(), row.article_id],
    kinds: ["int", "date", "int"],
  };
}

const BY_DATE = { columns: sql`published_at, article_id`, value: sql<number>`0` };

export const ORDERS = {
  hotness: descending("hotness"),
  reactions: descending("reactions"),
  newest: {
    ...BY_DATE,
    by: sql`published_at desc, article_id desc`,
    after: ([date, id]) => sql`(published_at, article_id) < (${date}::timestamptz, ${id}::int)`,
    valuesOf: (row) => [row.published_at.toISOString(), row.article_id],
    kinds: ["date", "int"],
  },
  oldest: {
    ...BY_DATE,
    by: sql`published_at, article_id desc`,
    after: ([date, id]) =>
      sql`published_at >= ${date}::timestamptz and (published_at > ${date}::timestamptz or article_id < ${id}::int)`,
    valuesOf: (row) => [row.published_at.toISOString(), row.article_id],
    kinds: ["date", "int"],
  },
} satisfies Record<string, Order>;
export type OrderName = keyof typeof ORDERS;
