import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { takeTurn } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";

/** The changes of a batch, each of the words of one article. A stopping program waits for a batch. */
const BATCH = 1_000;
/** An import folds in larger batches: in its transaction each batch leaves a dead row for each of its words. */
const BATCH_OF_IMPORT = 1_000_000;

/**
 * Adds the changes to the vocabulary, batch by batch, and returns their number. One process does so at a time;
 * another returns at once, or waits within a transaction.
 */
export async function foldChanges(db: Db): Promise<number> {
  // Spares an idle site a transaction.
  if (!(await hasChanges(db))) return 0;
  const limit = db.isTransaction ? BATCH_OF_IMPORT : BATCH;
  // Reading from the beginning again would pass all removed rows.
  for (let total = 0, after = "0"; ;) {
    const batch = await inTransaction(db, async (tx) =>
      (await takeTurn(tx, "vocabularyFolding", db.isTransaction))
        ? foldBatch(tx, { after, limit })
        : undefined,
    );
    total += batch?.taken ?? 0;
    if (batch === undefined || batch.taken < limit) return total;
    after = batch.last;
  }
}

async function hasChanges(db: Db): Promise<boolean> {
  const { rows } = await sql`select from search_word_changes order by id limit 1`.execute(db);
  return rows.length > 0;
}

async function foldBatch(tx: Db, { after, limit }: { after: string; limit: number }) {
  // Rows are looked up one by one: whole tables are too large for every batch.
  const { rows } = await sql<{ taken: number; last: string }>`
    with taken as (
      delete from search_word_changes
      where id = any(array(
        select id from search_word_changes where id > ${after}::bigint order by id limit ${limit}))
      returning id, words, delta
    ), sums as (
      select word, sum(delta) as delta from taken cross join unnest(words) as word group by word having sum(delta) <> 0
    ), counts as (
      select word, delta + coalesce(
        (select articles_count from search_words where search_words.word = sums.word), 0
      ) as articles_count
      from sums
    ), counted as (
      -- A word without articles stays, so that processes learn that it has none.
      insert into search_words as present (word, articles_count)
      select word, articles_count from counts
      on conflict (word) do update set articles_count = excluded.articles_count, changed_in = pg_current_xact_id()
        where present.articles_count <> excluded.articles_count
    )
    select count(*)::int as taken, coalesce(max(id), 0)::text as last from taken`.execute(tx);
  return rows[0];
}
