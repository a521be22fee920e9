import { type RawBuilder, sql } from "kysely";

// Any of the values: one parameter however many there are, so that the statement stays the same.
export const anyInt = (values: readonly number[]): RawBuilder<number> => sql`any(${values}::int[])`;
export const anyText = (values: readonly string[]): RawBuilder<string> => sql`any(${values}::text[])`;
