import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { takeTurn } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { canBeMisspelt } from "./tokens.ts";
import type { ArticleTokens, Token } from "./vector.ts";

/** A frequent word is hardly a misspelling. */
const MIN_OCCURRENCES = 4;
/** The most frequent words say what a body is about. */
const MAX_BODY_WORDS = 40;

export function vocabularyOf({ title, labels, description, body }: ArticleTokens): string[] {
  const words = [title, ...labels, description].flatMap(writtenIn);
  return [...new Set([...words.filter(canBeMisspelt), ...frequentWords(body)])];
}

/** The most frequent first, then in order. */
function frequentWords(tokens: readonly Token[]): string[] {
  const counts = new Map<string, number>();
  for (const word of writtenIn(tokens)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([word, count]) => count >= MIN_OCCURRENCES && canBeMisspelt(word))
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_BODY_WORDS)
    .map(([word]) => word);
}

/** Without stems and parts of names. */
function writtenIn(tokens: readonly Token[]): string[] {
  return tokens.filter(({ isExtra }) => !isExtra).map(({ token }) => token);
}

interface ArticleWords {
  article_id: number;
  words: readonly string[];
}

/** Replaces the words that these published articles contribute. They go with the rows of published_articles. */
export async function write(tx: Db, rows: readonly ArticleWords[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map(({ article_id, words }) => ({ article_id, words: [...new Set(words)].toSorted() }));
  // In one order, against deadlocks.
  await sql`
    insert into article_words as present (article_id, words)
    select article_id, words
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (article_id int, words text[])
    order by article_id
    on conflict (article_id) do update set words = excluded.words
      where present.words is distinct from excluded.words`.execute(tx);
}

/** A stopping program waits for a batch. */
const BATCH = 5_000;

/**
 * Adds the changes to the vocabulary, batch by batch, and returns their number. One process does so at a time;
 * another returns at once, or waits within a transaction.
 */
export async function foldChanges(db: Db): Promise<number> {
  // Spares an idle site a transaction.
  if (!(await hasChanges(db))) return 0;
  // Removed rows would be read again.
  for (let total = 0, after = "0"; ;) {
    const batch = await inTransaction(db, (tx) => foldBatch(tx, { after, waits: db.isTransaction }));
    total += batch?.taken ?? 0;
    if (batch === undefined || batch.taken < BATCH) return total;
    after = batch.last;
  }
}

async function hasChanges(db: Db): Promise<boolean> {
  const { rows } = await sql`select from search_word_changes order by id limit 1`.execute(db);
  return rows.length > 0;
}

interface Batch {
  taken: number;
  last: string;
}

/** Undefined while another process folds. */
async function foldBatch(
  tx: Db,
  { after, waits }: { after: string; waits: boolean },
): Promise<Batch | undefined> {
  if (!(await takeTurn(tx, "vocabularyFolding", waits))) return undefined;
  // Rows are looked up one by one: whole tables are too large for every batch.
  const { rows } = await sql<Batch>`
    with taken as (
      delete from search_word_changes
      where id = any(array(
        select id from search_word_changes where id > ${after}::bigint order by id limit ${BATCH}))
      returning id, word, delta
    ), sums as (
      select word, sum(delta) as delta from taken group by word
    ), counts as (
      select word, delta + coalesce(
        (select articles_count from search_words where search_words.word = sums.word), 0
      ) as articles_count
      from sums
    ), gone as (
      delete from search_words
      where word in (select word from counts where articles_count = 0)
    ), counted as (
      insert into search_words as present (word, articles_count)
      select word, articles_count from counts where articles_count <> 0
      on conflict (word) do update set articles_count = excluded.articles_count
        where present.articles_count <> excluded.articles_count
    )
    select count(*)::int as taken, coalesce(max(id), 0)::text as last from taken`.execute(tx);
  return rows[0];
}
