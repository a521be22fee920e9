import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { SequenceOfBackup, TableOfBackup } from "./format.ts";

/** That of the site, and the job queue's. */
const SCHEMAS = sql`('public', 'graphile_worker')`;

export async function tables(db: Db): Promise<TableOfBackup[]> {
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

/** The newest one of the job queue. */
export async function queueMigration(db: Db): Promise<number> {
  const { rows } = await sql<{
    newest: number;
  }>`select max(id) as newest from graphile_worker.migrations`.execute(db);
  return rows[0]?.newest ?? 0;
}

/** When and why the last nightly backup failed. */
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

export async function sequences(db: Db): Promise<SequenceOfBackup[]> {
  const { rows } = await sql<SequenceOfBackup>`
    select schemaname as schema, sequencename as name, coalesce(last_value, start_value)::text as "lastValue",
      last_value is not null as "isCalled"
    from pg_sequences where schemaname in ${SCHEMAS}
    order by schemaname, sequencename`.execute(db);
  return rows;
}
