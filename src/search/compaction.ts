import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

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
