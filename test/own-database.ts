import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Db } from "../src/platform/db/connect.ts";
import { createDatabase } from "./database.ts";

export interface OwnDatabase {
  readonly name: string;
  readonly db: Db;
  readonly superuser: Db;
}

/** One database for all tests of the file, or of the `describe` that this stands in: empty, or a copy of this template. */
export const databaseForAll = (template?: () => Promise<string>): OwnDatabase =>
  ownDatabase(beforeAll, afterAll, template);

/**
 * A new database for every test of the file, or of the `describe` that this stands in: empty, or a copy of this
 * template.
 */
export const databaseForEach = (template?: () => Promise<string>): OwnDatabase =>
  ownDatabase(beforeEach, afterEach, template);

type Hook = (work: () => Promise<void>) => void;

function ownDatabase(before: Hook, after: Hook, template?: () => Promise<string>): OwnDatabase {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  before(async () => {
    database = await createDatabase(await template?.());
  });
  after(() => database.drop());
  // Asked for anew each time, because the hook comes later than this and comes again.
  return {
    get name() {
      return database.name;
    },
    get db() {
      return database.connection.db;
    },
    get superuser() {
      return database.superuser;
    },
  };
}

/** Every row of every table as text, by table. When a key was used last is left out. */
export async function snapshot(db: Db): Promise<Map<string, string[]>> {
  const parts = (await tablesOf(db)).map(
    (table) =>
      sql`select ${table} as name, (to_jsonb(t) - 'last_used_at')::text as row from ${sql.table(table)} t`,
  );
  const { rows } = await sql<{ name: string; row: string }>`${sql.join(parts, sql` union all `)}`.execute(db);
  const taken = new Map<string, string[]>();
  for (const { name, row } of rows) {
    const list = taken.get(name);
    if (list) list.push(row);
    else taken.set(name, [row]);
  }
  for (const list of taken.values()) list.sort();
  return taken;
}

const known = new WeakMap<Db, Promise<string[]>>();

/** The tables of a database, read once: no test changes the schema between two snapshots. */
function tablesOf(db: Db): Promise<string[]> {
  const tables = known.get(db) ?? columnsByTable(db).then((columns) => [...columns.keys()]);
  known.set(db, tables);
  return tables;
}

/** The rows that are only in the later one of two snapshots. */
export function added(before: Map<string, string[]>, after: Map<string, string[]>): Record<string, string[]> {
  const entries = [...after].map(([table, rows]): [string, string[]] => {
    const old = new Set(before.get(table));
    return [table, rows.filter((row) => !old.has(row))];
  });
  return Object.fromEntries(entries.filter(([, rows]) => rows.length > 0));
}

/** The columns of every table, with their types. */
export async function columnsByTable(db: Db): Promise<Map<string, Map<string, string>>> {
  const { rows } = await sql<{ table_name: string; column_name: string; data_type: string }>`
    select c.table_name, c.column_name, c.data_type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
    order by c.table_name, c.ordinal_position`.execute(db);
  const tables = new Map<string, Map<string, string>>();
  for (const { table_name, column_name, data_type } of rows) {
    const columns = tables.get(table_name) ?? new Map<string, string>();
    tables.set(table_name, columns.set(column_name, data_type));
  }
  return tables;
}
