import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { tryLock, tryLockShared } from "../db/locks.ts";
import { placeEnds } from "./popularity-tiers.ts";

/**
 * Makes a table for the rows of a first import: their tiers are known when all are, and a moved row is written twice.
 */
export async function prepareWaiting(tx: Db): Promise<void> {
  const { rows } = await sql<{ table: string | null }>`
    select to_regclass('pg_temp.waiting_search_rows') as table`.execute(tx);
  if (rows[0]?.table) return;
  await sql`
    create temp table waiting_search_rows (
      article_id int primary key, search_version smallint, title_key text, head tsvector, words tsvector
    ) on commit drop`.execute(tx);
  // Vectors can't be compressed.
  await sql`alter table waiting_search_rows alter column words set storage external`.execute(tx);
}

/** Fewer rows aren't worth building the indexes anew. */
const LARGE = 2_000;

/** Writes the rows that wait. The indexes of many are built at once: inserting each row costs more. */
export async function placeWaiting(tx: Db): Promise<void> {
  // All batches may have failed.
  await prepareWaiting(tx);
  const { rows } = await sql<{ count: number }>`select count(*)::int from waiting_search_rows`.execute(tx);
  if ((rows[0]?.count ?? 0) < LARGE) await insertRows(tx);
  else if ((await tryLock(tx, "searchTiers")) && (await tryLockShared(tx, "besideBackup"))) {
    await placeEnds(tx);
    await withoutTextIndexes(tx, insertRows);
  } else {
    // Articles are being published at this moment, or a backup reads the table: searches would wait for its end.
    await insertRows(tx);
  }
}

/** Other processes may have published some of these articles meanwhile. */
async function insertRows(tx: Db): Promise<void> {
  await sql`
    delete from article_search using waiting_search_rows as waiting
    where article_search.article_id = waiting.article_id`.execute(tx);
  await sql`
    insert into article_search (tier, article_id, published_at, reactions, search_version, title_key, head, words)
    select search_tier_of(listed.reactions, listed.published_at, article_id), article_id, listed.published_at,
      listed.reactions, search_version, title_key, head, words
    from waiting_search_rows join published_articles as listed using (article_id)`.execute(tx);
  await sql`drop table waiting_search_rows`.execute(tx);
}

/** More memory hardly saves time. */
const INDEX_MEMORY = "32MB";

/** Searches wait meanwhile. */
async function withoutTextIndexes(tx: Db, work: (tx: Db) => Promise<void>): Promise<void> {
  await sql`select set_text_indexes(false)`.execute(tx);
  await work(tx);
  await sql`select set_config('maintenance_work_mem', ${INDEX_MEMORY}, true)`.execute(tx);
  await sql`select set_text_indexes(true)`.execute(tx);
}
