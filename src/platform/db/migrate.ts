import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runMigrations } from "graphile-worker";
import { sql } from "kysely";
import type { Pool } from "pg";
import { invalid } from "../errors.ts";
import type { Connection, Db } from "./connect.ts";
import { failureCode, LOCK_NOT_AVAILABLE } from "./failures.ts";
import { whileLocked } from "./locks.ts";
import type { IndexStatement, Migration } from "./migrations.ts";
import { concurrentIndexes, dropping, ownMigrations } from "./migrations.ts";

export type SchemaState = "empty" | "current" | "older" | "newer" | "altered" | "closed";

/** Whether this program can work on the schema: files that contract it may wait, and later ones may have expanded it. */
export async function schemaState(db: Db, known?: Migration[]): Promise<SchemaState> {
  const isReadable = await canReadMigrations(db);
  if (isReadable === null) return "empty";
  if (!isReadable) return "closed";
  const applied = await appliedMigrations(db);
  const own = known ?? (await ownMigrations());
  const checksums = new Map(own.map(({ name, checksum }) => [name, checksum]));
  if (applied.some(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)) return "altered";
  if (applied.some(({ name, kind }) => kind !== "expand" && !checksums.has(name))) return "newer";
  return own.some(({ name, kind }) => kind === "expand" && !applied.some((one) => one.name === name))
    ? "older"
    : "current";
}

export const SCHEMA_PROBLEM: Record<Exclude<SchemaState, "current">, string> = {
  empty: "The database is empty: start the server first, run `inkstone migrate`, or correct DATABASE_URL.",
  older: "The database's schema is older than this program: run `inkstone migrate` first.",
  newer:
    "The database's schema is newer than this program: start the version of Inkstone that migrated it, or a later one.",
  altered:
    "Other migrations than this program's created this database: run `inkstone export FILE --with-secrets` with the version of Inkstone that created it, then `inkstone import FILE` with this one on an empty database.",
  closed:
    "The database user may not use the tables: run `inkstone migrate` with DATABASE_OWNER_URL, or name the tables' owner in DATABASE_URL.",
};

export interface MigrateOptions {
  programRole?: string | undefined;
  known?: Migration[];
  /** Called before the first file runs on a database that has tables. */
  before?: (first: string) => Promise<void>;
}

/** Runs each due file once, in a transaction of its own, and returns their names. @throws AppError invalid */
export const migrate = async (connection: Connection, options: MigrateOptions = {}): Promise<string[]> =>
  whileLocked(connection.db, "migration", () => runPending(connection, options));

/** Whoever calls it holds the lock of migrations. */
export async function runPending({ db, pool }: Connection, { programRole, known, before }: MigrateOptions) {
  const { isNew, pending } = await findPending(db, known ?? (await ownMigrations()));
  // No older program is connected to an empty database.
  const due = isNew ? pending : pending.filter(({ isDue }) => isDue);
  const [next] = due;
  if (!isNew && next !== undefined) await before?.(next.name);
  // The queue comes first and the rights with the last file, so that a schema is whole when its files have run.
  await migrateQueue(pool);
  await runAll(db, due, programRole);
  return due.map(({ name }) => name);
}

export const migrateQueue = (pool: Pool): Promise<void> =>
  runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });

async function findPending(db: Db, known: Migration[]): Promise<{ isNew: boolean; pending: Migration[] }> {
  const state = await schemaState(db, known);
  if (state === "newer" || state === "altered" || state === "closed") throw invalid(SCHEMA_PROBLEM[state]);
  // Even "if not exists" needs the right to create.
  if (state === "empty") await createTable(db);
  const applied = new Set((await appliedMigrations(db)).map(({ name }) => name));
  return { isNew: applied.size === 0, pending: known.filter(({ name }) => !applied.has(name)) };
}

async function createTable(db: Db): Promise<void> {
  await sql`create table schema_migrations (
    name text primary key, checksum text not null, kind text not null check (kind in ('expand', 'contract')),
    ran_at timestamptz(3) not null default now()
  )`.execute(db);
}

/** Makes the schema of these files, in a database without rows that no other client uses. */
export async function remake(tx: Db, files: readonly Migration[]): Promise<void> {
  if ((await canReadMigrations(tx)) === null) await createTable(tx);
  const applied = new Set((await appliedMigrations(tx)).map(({ name }) => name));
  if (applied.size === files.length && files.every(({ name }) => applied.has(name))) return;
  const old = (await ownMigrations()).filter(({ name }) => applied.has(name));
  if (old.length > 0) await sql.raw(dropping(old)).execute(tx);
  await tx.deleteFrom("schema_migrations").execute();
  await runAtOnce(tx, files);
}

export async function runAtOnce(tx: Db, files: readonly Migration[]): Promise<void> {
  for (const { name, checksum, kind, statements } of files) {
    await sql.raw(statements.replaceAll(/\bindex concurrently\b/gi, "index")).execute(tx);
    await tx.insertInto("schema_migrations").values({ name, checksum, kind }).execute();
  }
}

async function runAll(db: Db, files: Migration[], programRole: string | undefined): Promise<void> {
  for (const file of files) await run(db, file, file === files.at(-1) ? programRole : undefined);
  if (files.length === 0 && programRole !== undefined)
    await db.transaction().execute((tx) => grantRights(tx, programRole));
}

const ATTEMPTS = 10;

/** Gives up a lock after two seconds and retries, so that queries don't queue behind the migration. */
async function run(db: Db, migration: Migration, programRole: string | undefined): Promise<void> {
  const { name, checksum, kind, statements } = migration;
  const indexes = concurrentIndexes(migration);
  for (const each of indexes) await buildIndex(db, each);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = '2s'`.execute(tx);
        if (indexes.length === 0) await sql.raw(statements).execute(tx);
        await tx.insertInto("schema_migrations").values({ name, checksum, kind }).execute();
        if (programRole !== undefined) await grantRights(tx, programRole);
      });
    } catch (error) {
      if (failureCode(error) !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await sleep(500 * attempt);
    }
  }
}

/** A build that was killed leaves an invalid index. */
async function buildIndex(db: Db, { index, text }: IndexStatement): Promise<void> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`.execute(db);
  if (rows.length > 0) await sql`drop index concurrently ${sql.id(index)}`.execute(db);
  await sql.raw(text).execute(db);
}

/** Null in a database that never was Inkstone's. */
async function canReadMigrations(db: Db): Promise<boolean | null> {
  const { rows } = await sql<{ answer: boolean | null }>`
    select has_table_privilege(to_regclass('schema_migrations'), 'select') as answer`.execute(db);
  return rows[0]?.answer ?? null;
}

/** Databases of development versions have no kinds. */
export async function appliedMigrations(db: Db) {
  const { rows } = await sql<{ name: string; checksum: string; kind: string | null }>`
    select name, checksum, to_jsonb(schema_migrations) ->> 'kind' as kind from schema_migrations
    order by name`.execute(db);
  return rows;
}

/** Tables with other rights than all rows. Migrations alone write these; an append-only table lacks update and delete. */
const RIGHTS: Record<string, string> = {
  "public.schema_migrations": "select",
  "graphile_worker.migrations": "select",
};

/** Gives a role rows, sequences and functions of all that the current role owns. */
export async function grantRights(tx: Db, role: string): Promise<void> {
  const rights = JSON.stringify(RIGHTS);
  // The queue's tables have row security without policies, which hides their rows from other roles.
  const { rows } = await sql<{ statement: string }>`
    select format('grant usage on schema public, graphile_worker to %I', ${role}::text) as statement
    union all
    select format(case relkind
        when 'S' then 'grant usage, select, update on sequence %1$s to %2$I'
        else 'revoke all on %1$s from %2$I; grant %3$s on %1$s to %2$I' end,
      name, ${role}::text, coalesce(${rights}::jsonb ->> name, 'select, insert, update, delete'))
      || case when relrowsecurity then format('; alter table %s disable row level security', name) else '' end
    from pg_class, concat(relnamespace::regnamespace, '.', quote_ident(relname)) as name
    where relowner = current_user::regrole and relkind in ('r', 'p', 'v', 'S')
      and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
    union all
    select format('grant execute on function %s to %I', oid::regprocedure, ${role}::text) from pg_proc
    where proowner = current_user::regrole and pronamespace = 'public'::regnamespace and prosecdef`.execute(
    tx,
  );
  await sql.raw(rows.map(({ statement }) => statement).join(";\n")).execute(tx);
}
