import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { type SequenceOfBackup, tableName, type TableOfBackup } from "./format.ts";

/** That of the site, and the job queue's. */
const SCHEMAS = sql`('public', 'graphile_worker')`;

async function tables(db: Db): Promise<TableOfBackup[]> {
  const { rows } = await sql<TableOfBackup>`
    select nspname as schema, relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where nspname in ${SCHEMAS} and relkind in ('r', 'p') and not relispartition
    group by nspname, relname
    order by nspname, relname`.execute(db);
  return rows;
}

export async function queueMigration(db: Db): Promise<number> {
  const { rows } = await sql<{
    newest: number;
  }>`select max(id) as newest from graphile_worker.migrations`.execute(db);
  return rows[0]?.newest ?? 0;
}

export async function lastFailure(db: Db): Promise<{ at: Date; reason: string } | undefined> {
  const { rows } = await sql<{ at: Date; reason: string }>`
    select updated_at as at, last_error as reason from graphile_worker.jobs
    where task_identifier = 'backup' and last_error is not null
    order by updated_at desc limit 1`.execute(db);
  return rows[0];
}

/** Gives the nightly backup that fails now some time before it is tried again: the queue would take seconds. */
export async function delayNext(db: Db): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set run_at = now() + attempts * interval '20 minutes'
    where locked_at is not null
      and task_id = (select id from graphile_worker._private_tasks where identifier = 'backup')`.execute(db);
}

/** Fails on a connection that is lost. */
export async function ask(db: Db): Promise<void> {
  await sql`select`.execute(db);
}

/** The sequences as they are now, which is never behind a snapshot taken before. Identities are among them. */
export async function savedSequences(db: Db): Promise<SequenceOfBackup[]> {
  const { rows } = await sql<SequenceOfBackup>`
    select schemaname as schema, sequencename as name, coalesce(last_value, start_value)::text as "lastValue",
      last_value is not null as "isCalled"
    from pg_sequences where schemaname in ${SCHEMAS}
    order by schemaname, sequencename`.execute(db);
  return rows;
}

/** Tables that no backup has, with the reason. The key of links stays: links in emails go on working. */
export const EXEMPT_TABLES: Record<string, string> = {
  "public.schema_migrations": "Migrations write it, and the first entry of a backup names them.",
  "graphile_worker.migrations": "The job queue's migrations write it.",
  "public.search_changes":
    "Tells running processes which articles to load anew; none of a restored site has loaded any.",
  "public.page_view_keys":
    "A day's key is removed with the day, so that nobody can find its visitors; a backup would keep it.",
  "public.sessions": "A session that ended after the backup would be there again.",
  "public.sign_in_failures": "Means nothing without those who try now.",
  "public.page_view_visitors": "Means nothing without the key of the day.",
};

/** Columns that a restored row gets from their defaults, with the reason. Generated columns are never in a backup. */
export const EXEMPT_COLUMNS: Record<string, string> = {
  "public.users.sign_in_link": "A link that was used after the backup would work once more.",
  "public.search_words.changed_in": "Numbers of transactions mean something in their own cluster alone.",
  "graphile_worker._private_jobs.locked_at": "No process of a restored site works on a job.",
  "graphile_worker._private_jobs.locked_by": "As locked_at.",
  "graphile_worker._private_job_queues.locked_at": "No process of a restored site works on a queue.",
  "graphile_worker._private_job_queues.locked_by": "As locked_at.",
};

/** The tables to save, with their columns in order. A partitioned table is one, without its partitions. */
export async function savedTables(db: Db): Promise<TableOfBackup[]> {
  const found = await tables(db);
  return found
    .filter((table) => !(tableName(table) in EXEMPT_TABLES))
    .map(({ schema, name, columns }) => ({
      schema,
      name,
      columns: columns.filter((column) => !(`${schema}.${name}.${column}` in EXEMPT_COLUMNS)),
    }));
}
