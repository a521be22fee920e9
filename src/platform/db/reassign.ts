import { type RawBuilder, sql } from "kysely";
import type { Db } from "./connect.ts";
import type { DB } from "./tables.ts";

/** Two ids of one noun, of which the second takes what the first has. */
export interface Reassignment {
  from: number;
  to: number;
}

/** Gives the rows that name one id to the other. Returns their number. */
export async function reassign(
  tx: Db,
  [table, column]: readonly [table: keyof DB, column: string],
  { from, to }: Reassignment,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

const of = (row: "gone" | "kept", column: string) => sql.ref(`${row}.${column}`);

/** Removes the rows of the first id whose other columns a row of the second has too: these are unique. */
export async function dropRepeated<Row = object>(
  tx: Db,
  [table, column]: readonly [table: keyof DB, column: string],
  { from, to, same, where = sql`true` }: Reassignment & { same: string[]; where?: RawBuilder<unknown> },
): Promise<Row[]> {
  // Comparing texts, of which an empty one stands for none, lets PostgreSQL use a hash.
  const isSame = same.map(
    (name) => sql`coalesce(${of("gone", name)}::text, '') = coalesce(${of("kept", name)}::text, '')`,
  );
  const { rows } = await sql<Row>`
    delete from ${sql.table(table)} as gone using ${sql.table(table)} as kept
    where ${of("gone", column)} = ${from} and ${of("kept", column)} = ${to} and ${sql.join(isSame, sql` and `)} and ${where}
    returning gone.*`.execute(tx);
  return rows;
}
