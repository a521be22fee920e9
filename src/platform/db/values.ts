import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { DB } from "./tables.ts";

export interface Slice {
  limit: number;
  offset: number;
}

// One parameter for any number of values, so that the statement stays the same.
export const anyInt = (values: readonly number[]): RawBuilder<number> => sql`any(${values}::int[])`;
export const anyText = (values: readonly string[]): RawBuilder<string> => sql`any(${values}::text[])`;

/** Any text of a query; PostgreSQL can't hold NUL. */
export const storable = (text: string): string => text.replaceAll("\0", " ");

export const beginningWith = (text: string): string => `${storable(text).replaceAll(/[\\%_]/g, "\\$&")}%`;

/** The end of the texts that begin so: a prepared statement finds them by an index, unlike a pattern. */
export const endOfBeginning = (text: string): string => `${text}\u{10ffff}`;

/** Whether a JSON text has a property with one of these numbers. */
export const jsonNames = (column: string, property: string, ids: readonly number[]): RawBuilder<boolean> => {
  const endings = ids.flatMap((id) => [`%"${property}":${id},%`, `%"${property}":${id}}%`]);
  return sql`${sql.ref(column)} like ${anyText(endings)}`;
};

export const allWords = (text: string): RawBuilder<unknown> =>
  sql`plainto_tsquery('simple', ${storable(text)})`;

export const isAny = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

/** The number of rows of a query that selects no columns. */
export async function countRows<Table extends keyof DB>(query: SelectQueryBuilder<DB, Table, object>) {
  const { count } = await query
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}
