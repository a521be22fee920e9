import { type Insertable, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Tags } from "../../platform/db/tables.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import { anyInt, anyText } from "../../platform/db/values.ts";
import type { Changed, Declaration } from "./declaration.ts";
import { reserveIds } from "./identity.ts";
import type { ImportContext, Tally } from "./record-type.ts";

export type Columns = Record<string, unknown>;
export type Row = Columns & { id: number };

/** A declaration as the driver sees it. */
export type AnyDeclaration = Declaration<Record<string, unknown>, string, unknown, Columns, Row> & {
  table: string;
};

/** Queries are typed as those of one table: each declaration has the types of its own. */
const asTable = (table: string) => table as "tags";

/** The text by which keys of records and rows are compared. */
export function keyText({ rowKey }: AnyDeclaration, key: Columns): string {
  return rowKey?.(key) ?? JSON.stringify(Object.values(key));
}

function byKey(type: AnyDeclaration, names: string[], rows: Row[]): Map<string, Row> {
  const keyOf = (row: Row) => Object.fromEntries(names.map((name) => [name, row[name]]));
  return new Map(rows.map((row) => [keyText(type, keyOf(row)), row]));
}

export async function findRows(
  tx: Db,
  type: AnyDeclaration,
  { keys, known }: { keys: Columns[]; known: unknown },
): Promise<Map<string, Row>> {
  const names = Object.keys(keys[0] ?? {});
  if (names.length === 0) return new Map();
  const rows = type.find ? await type.find(tx, keys, known) : await selectRows(tx, type, { names, keys });
  return byKey(type, names, rows);
}

async function selectRows(
  tx: Db,
  { table, locks = false }: AnyDeclaration,
  { names, keys }: { names: string[]; keys: Columns[] },
): Promise<Row[]> {
  const conditions = names.map((name) => {
    const values = keys.map((key) => key[name]);
    const any = typeof values[0] === "number" ? anyInt(values as number[]) : anyText(values as string[]);
    return sql<boolean>`${sql.ref(name)} = ${any}`;
  });
  return (
    tx
      .selectFrom(asTable(table))
      .selectAll()
      .where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
      // All transactions lock rows in one order, which prevents deadlocks.
      .$if(locks, (query) => query.orderBy("id").forNoKeyUpdate())
      .execute()
  );
}

export async function insertRows(
  { type, tx, context }: { type: AnyDeclaration; tx: Db; context: ImportContext },
  fresh: { entry: { fields: Columns }; key: Columns; columns: Columns | undefined }[],
): Promise<Map<string, Row>> {
  if (fresh.length === 0) return new Map();
  const stated = fresh.map(({ entry }) => entry.fields["id"] as number | undefined);
  const ids = await reserveIds(tx, type.table, stated);
  const rows = fresh.map(({ columns }, index) => ({
    ...type.defaults?.(context.now),
    ...columns,
    ...(ids[index] !== undefined && { id: ids[index] }),
  }));
  await type.beforeInsert?.(tx, rows);
  const names = Object.keys(fresh[0]?.key ?? {});
  const inserted = await tx
    .insertInto(asTable(type.table))
    .values(rows as unknown as Insertable<Tags>[])
    .$if(type.skipsConflicts ?? false, (query) => query.onConflict((conflict) => conflict.doNothing()))
    .returning(["id", ...(names as "name"[])])
    .execute();
  const created = byKey(type, names, inserted);
  for (const { key, columns } of fresh) Object.assign(created.get(keyText(type, key)) ?? {}, columns);
  for (const { id } of created.values()) context.created?.(type.type, id);
  return created;
}

export async function updateRows(tx: Db, table: string, rows: Changed<Columns, Row>[]): Promise<void> {
  for (const { before, change } of rows) await rowsOf(asTable(table)).update(tx, before.id, change);
}

/** Inserts rows of a table that has no ids, or changes those that have the same `key`. */
export async function upsertRows(
  tx: Db,
  { table, key }: { table: string; key: string },
  rows: Columns[],
): Promise<Tally> {
  const others = Object.keys(rows[0] ?? {}).filter((name) => name !== key);
  const written = await tx
    .insertInto(asTable(table))
    .values(rows as unknown as Insertable<Tags>[])
    .onConflict((conflict) =>
      conflict
        .column(key as "name")
        .doUpdateSet(Object.fromEntries(others.map((name) => [name, sql.ref(`excluded.${name}`)]))),
    )
    .returning(sql<boolean>`xmax = 0`.as("created"))
    .execute();
  const created = written.filter((row) => row.created).length;
  return { created, updated: written.length - created, unchanged: 0 };
}
