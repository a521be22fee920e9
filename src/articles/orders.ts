import { type RawBuilder, sql } from "kysely";
import type { ValueKind, Values } from "../http/cursor-values.ts";

/** The place of a published article in a list. */
export interface Listed {
  article_id: number;
  published_at: Date;
  /** The number that the list is ordered by before the date; 0 in a list by date alone. */
  value: number;
}

/** SQL for the place behind which a page begins. */
export type Place = Record<keyof Listed, RawBuilder<unknown>>;

/**
 * An order of published articles. All end in the date and the number, so that equal articles keep
 * their place from page to page.
 */
export interface Order {
  /** Where only these columns are read, an index holds all that is needed. */
  columns: RawBuilder<unknown>;
  value: RawBuilder<number>;
  by: RawBuilder<unknown>;
  isByDate: boolean;
  /** SQL that holds behind a place. */
  isAfter(place: Place): RawBuilder<boolean>;
  /** The values of a place, for a cursor. */
  valuesOf(row: Listed): Values;
  kinds: readonly ValueKind[];
}

function descending(column: "hotness" | "reactions"): Order {
  const ref = sql.ref(column);
  return {
    columns: sql`${ref}, published_at, article_id`,
    value: sql`${ref}`,
    by: sql`${ref} desc, published_at desc, article_id desc`,
    isByDate: false,
    isAfter: ({ value, published_at, article_id }) =>
      sql`(${ref}, published_at, article_id) < (${value}, ${published_at}, ${article_id})`,
    valuesOf: (row) => [row.value, row.published_at.toISOString(), row.article_id],
    kinds: ["int", "date", "int"],
  };
}

const BY_DATE = {
  columns: sql`published_at, article_id`,
  value: sql<number>`0`,
  isByDate: true,
  valuesOf: (row: Listed): Values => [row.published_at.toISOString(), row.article_id],
  kinds: ["date", "int"] as const,
};

export const ORDERS = {
  hotness: descending("hotness"),
  reactions: descending("reactions"),
  newest: {
    ...BY_DATE,
    by: sql`published_at desc, article_id desc`,
    isAfter: ({ published_at, article_id }) =>
      sql`(published_at, article_id) < (${published_at}, ${article_id})`,
  },
  oldest: {
    ...BY_DATE,
    by: sql`published_at, article_id desc`,
    isAfter: ({ published_at, article_id }) =>
      sql`published_at >= ${published_at} and (published_at > ${published_at} or article_id < ${article_id})`,
  },
} satisfies Record<string, Order>;
export type OrderName = keyof typeof ORDERS;
