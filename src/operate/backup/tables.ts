import type { Db } from "../../platform/db/connect.ts";
import * as queries from "./catalogue-queries.ts";
import { type SequenceOfBackup, type TableOfBackup, tableName } from "./format.ts";

/**
 * Tables that are not in a backup, with the reason. The key of links stays, so that those of emails work on a restored
 * site, which has forgotten what came of them.
 */
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
  const found = await queries.tables(db);
  return found
    .filter((table) => !(tableName(table) in EXEMPT_TABLES))
    .map(({ schema, name, columns }) => ({
      schema,
      name,
      columns: columns.filter((column) => !(`${schema}.${name}.${column}` in EXEMPT_COLUMNS)),
    }));
}

/** The sequences as they are now, which is never behind a snapshot taken before. Identities are among them. */
export const savedSequences = (db: Db): Promise<SequenceOfBackup[]> => queries.sequences(db);
