import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

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

/** The tiers that most searches end in, and that are rewritten in a few seconds. */
const FIRST_TIERS = ["article_search_0", "article_search_1"];

const MIN_BYTES = 1024 * 1024;

/** A table is rewritten when its pages have room for this many times its rows. */
const MAX_SPREAD = 2;

/** The fixed columns of a row, its header and the pointer to its vector. */
const ROW_BYTES = 100;

/**
 * Rewrites the first tiers of a new site, whose pages are nearly empty where rows have moved: a search reads a page
 * per match then. Searches wait, so tables in use are left as they are.
 */
export async function compactTiers(db: Db): Promise<void> {
  for (const tier of FIRST_TIERS) {
    const table = sql.table(tier);
    const { rows } = await sql<{ is_spread: boolean }>`
      select coalesce(pg_relation_size(${tier}::regclass) > ${MAX_SPREAD}
        * sum(pg_column_size(head) + pg_column_size(title_key) + ${sql.lit(ROW_BYTES)}), true) as is_spread
      from ${table} having pg_relation_size(${tier}::regclass) > ${MIN_BYTES}`.execute(db);
    if (rows[0]?.is_spread === true) await sql`vacuum (full, analyze, skip_locked) ${table}`.execute(db);
  }
}
