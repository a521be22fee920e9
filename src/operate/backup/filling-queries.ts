import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import type { ClientBase } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Db } from "../../platform/db/connect.ts";
import { UNLIMITED } from "../../platform/db/locks.ts";
import { type SequenceOfBackup, type TableOfBackup, tableName } from "./format.ts";

/** A restore may take hours, most of them for indexes. */
export async function prepareSession(tx: Db): Promise<void> {
  await UNLIMITED.execute(tx);
  await sql`set local maintenance_work_mem = '128MB'`.execute(tx);
}

export async function countContent(db: Db): Promise<{ people: number; articles: number }> {
  const { rows } = await sql<{ people: number; articles: number }>`
    select (select count(*)::int from users) as people, (select count(*)::int from articles) as articles`.execute(
    db,
  );
  return rows[0] ?? { people: 0, articles: 0 };
}

export async function foreignTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

export interface Target {
  table: string;
  /** Whether the role may change the table itself; one of another owner gets rows alone. */
  isOwn: boolean;
  isPartitioned: boolean;
}

export async function targets(tx: Db, tables: readonly string[]): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select wanted.name as table, pg_has_role(relowner, 'usage') as "isOwn", relkind = 'p' as "isPartitioned"
    from unnest(${tables}::text[]) as wanted (name)
    join pg_class on pg_class.oid = to_regclass(wanted.name)`.execute(tx);
  return rows;
}

/**
 * Empties tables and takes away what would slow their filling down or change rows: foreign keys, indexes of no
 * constraint, and triggers. The owner of a table may do so; only superusers may ignore foreign keys.
 * @returns statements that bring them back, each with its name
 */
export async function strip(tx: Db, tables: readonly string[]): Promise<{ name: string; text: string }[]> {
  const { rows } = await sql<{ name: string; removal: string; text: string }>`
    select conname as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as removal,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as text,
      2 as place
    from pg_constraint
    where contype = 'f' and conparentid = 0 and conrelid = any(${tables}::regclass[])
    union all
    select relname, format('drop index %s', pg_class.oid::regclass),
      replace(pg_get_indexdef(pg_class.oid), ' ON ONLY ', ' ON '), 1
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = any(${tables}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    order by place, name`.execute(tx);
  // Foreign keys may need an index.
  const statements = rows.toReversed().map(({ removal }) => removal);
  statements.push(`truncate ${tables.join(", ")}`);
  statements.push(...tables.map((table) => `alter table ${table} disable trigger user`));
  await sql.raw(statements.join(";\n")).execute(tx);
  return rows;
}

interface Column {
  table: string;
  column: string;
}

/** Columns that only the backup has, for the time of the copy. */
export async function addColumns(tx: Db, columns: readonly Column[]): Promise<void> {
  for (const { table, column } of columns)
    await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} text`.execute(tx);
}

export async function dropColumns(tx: Db, columns: readonly Column[]): Promise<void> {
  for (const { table, column } of columns)
    await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(tx);
}

export async function runStatement(tx: Db, text: string): Promise<void> {
  await sql.raw(text).execute(tx);
}

export async function enableTriggers(tx: Db, tables: readonly string[]): Promise<void> {
  await sql.raw(tables.map((table) => `alter table ${table} enable trigger user`).join(";\n")).execute(tx);
}

/** Rows are frozen as they are written, where the transaction has emptied the table: no later vacuum writes them anew. */
export async function copyRows(
  client: ClientBase,
  { target, table, lines }: { target: Target; table: TableOfBackup; lines: AsyncIterable<Buffer> },
): Promise<void> {
  const columns = table.columns.map((column) => `"${column}"`).join(", ");
  const options = target.isOwn && !target.isPartitioned ? " with (freeze)" : "";
  await pipeline(lines, client.query(copyFrom(`copy ${target.table} (${columns}) from stdin${options}`)));
}

/** Those that the role may set. */
export async function setSequences(tx: Db, sequences: readonly SequenceOfBackup[]): Promise<void> {
  const wanted = sequences.map(({ lastValue, isCalled, ...sequence }) => ({
    name: tableName(sequence),
    value: lastValue,
    is_called: isCalled,
  }));
  await sql`
    select setval(to_regclass(wanted.name), wanted.value, is_called)
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (name text, value bigint, is_called boolean)
    where to_regclass(wanted.name) is not null and has_sequence_privilege(to_regclass(wanted.name), 'update')`.execute(
    tx,
  );
}

export async function analyze(tx: Db, tables: readonly string[]): Promise<void> {
  await sql.raw(`analyze ${tables.join(", ")}`).execute(tx);
}

export async function hasQueue(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_namespace where nspname = 'graphile_worker'`.execute(db);
  return rows.length > 0;
}

export async function dropQueue(db: Db): Promise<void> {
  await sql`drop schema if exists graphile_worker cascade`.execute(db);
}
