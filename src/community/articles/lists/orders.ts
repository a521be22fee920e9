import { type RawBuilder, sql } from "kysely";
import { areValues, type CursorFormat } from "../../../http/pages.ts";

export interface SortKey {
  article_id: number;
  published_at: Date;
  /** Sorts before the date; 0 in a list by date alone. */
  value: number;
}

/** All end in the date and the id, so that equal articles keep their places. */
interface Order extends CursorFormat<SortKey> {
  /** An index has these columns. */
  columns: RawBuilder<unknown>;
  value: RawBuilder<number>;
  by: RawBuilder<unknown>;
  isByDate: boolean;
  isAfter(key: Record<keyof SortKey, RawBuilder<unknown>>): RawBuilder<boolean>;
}

function descending(column: "hotness" | "reactions"): Order {
  const ref = sql.ref(column);
  return {
    name: column,
    columns: sql`${ref}, published_at, article_id`,
    value: sql`${ref}`,
    by: sql`${ref} desc, published_at desc, article_id desc`,
    isByDate: false,
    isAfter: ({ value, published_at, article_id }) =>
      sql`(${ref}, published_at, article_id) < (${value}, ${published_at}, ${article_id})`,
    toValues: ({ value, published_at, article_id }) => [value, published_at.toISOString(), article_id],
    toKey: (values) => (areValues(values, ["int", "date", "int"]) ? keyOf(values) : undefined),
  };
}

const BY_DATE = {
  columns: sql`published_at, article_id`,
  value: sql<number>`0`,
  isByDate: true,
  toValues: ({ published_at, article_id }) => [published_at.toISOString(), article_id],
  toKey: (values) => (areValues(values, ["date", "int"]) ? keyOf([0, ...values]) : undefined),
} satisfies Partial<Order>;

function keyOf(values: readonly (string | number)[]): SortKey {
  const [value, date, article_id] = values as [number, string, number];
  return { value, published_at: new Date(date), article_id };
}

export const ORDERS = {
  hotness: descending("hotness"),
  reactions: descending("reactions"),
  newest: {
    ...BY_DATE,
    name: "newest",
    by: sql`published_at desc, article_id desc`,
    isAfter: ({ published_at, article_id }) =>
      sql`(published_at, article_id) < (${published_at}, ${article_id})`,
  },
  oldest: {
    ...BY_DATE,
    name: "oldest",
    by: sql`published_at, article_id desc`,
    isAfter: ({ published_at, article_id }) =>
      sql`published_at >= ${published_at} and (published_at > ${published_at} or article_id < ${article_id})`,
  },
} satisfies Record<string, Order>;
export type OrderName = keyof typeof ORDERS;
