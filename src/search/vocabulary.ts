import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";
import { rollUp } from "../platform/db/roll-up.ts";
import { FORGOTTEN } from "./index/rows-in-memory.ts";

export function addUpChanges(db: Db): Promise<number> {
  // Each change holds the words of one article.
  return rollUp(db, { table: "search_word_changes", lock: "vocabularyRollUp", batch: 1_000, step: COUNTED });
}

// Rows are looked up one by one: whole tables are too large for every batch.
const COUNTED = sql`
  sums as (
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
  )`;

/** Removes the words without articles at once, for which processes read the vocabulary again. */
export async function forgetUnused(tx: Db): Promise<void> {
  await sql`
    with forgotten as (
      delete from search_words where articles_count = 0 and word <> ${FORGOTTEN} returning word
    )
    insert into search_words (word, articles_count) select ${FORGOTTEN}, 0 where exists (select from forgotten)
    on conflict (word) do update set changed_in = pg_current_xact_id()`.execute(tx);
}
