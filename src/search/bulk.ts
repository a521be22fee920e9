import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Fewer rows aren't worth preparing the indexes. */
export const LARGE = 2_000;

/** Index entries are collected in lists of this size; inserting them together takes half the time. */
const LIST_SIZE = "4MB";

/** Collects index entries until the transaction ends, for many rows. Searches read the lists too, a little slower. */
export async function beginBulk(tx: Db): Promise<void> {
  await sql`select set_config('gin_pending_list_limit', ${LIST_SIZE}, true)`.execute(tx);
  for (const index of await textIndexes(tx)) {
    await sql`alter index ${sql.table(index)} set (fastupdate = on)`.execute(tx);
  }
}

export async function endBulk(tx: Db): Promise<void> {
  for (const index of await textIndexes(tx)) {
    await sql`alter index ${sql.table(index)} set (fastupdate = off)`.execute(tx);
    await sql`select gin_clean_pending_list(${index}::regclass)`.execute(tx);
  }
}

async function textIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relation.relname as name
    from pg_inherits join pg_class as relation on relation.oid = inhrelid
    where inhparent in ('article_search_words'::regclass, 'article_search_head'::regclass)
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}
