import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { takeTurn } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { canBeMisspelt } from "./spelling.ts";
import type { ArticleTokens, Token } from "./vector.ts";

/** A body speaks of what it names that often; what stands there less often may be misspelt itself. */
const MIN_OCCURRENCES = 4;
/** So many words of a body, the most frequent, say what it is about. */
const MAX_BODY_WORDS = 40;

/** Gives the words that a misspelt word may stand for, folded, each once. */
export function vocabularyOf({ title, labels, description, body }: ArticleTokens): string[] {
  const words = [title, ...labels, description].flatMap(writtenIn);
  return [...new Set([...words.filter(canBeMisspelt), ...frequentWords(body)])];
}

/** The most frequent first, and of equally frequent ones the one that comes first. */
function frequentWords(tokens: readonly Token[]): string[] {
  const counts = new Map<string, number>();
  for (const word of writtenIn(tokens)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([word, count]) => count >= MIN_OCCURRENCES && canBeMisspelt(word))
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_BODY_WORDS)
    .map(([word]) => word);
}

/** The words of a text, and joined ones as one word too, without what only follows from them. */
function writtenIn(tokens: readonly Token[]): string[] {
  return tokens.filter(({ isExtra }) => !isExtra).map(({ token }) => token);
}

interface ArticleWords {
  article_id: number;
  /** As `vocabularyOf` of src/text/vocabulary.ts gives them. */
  words: readonly string[];
}

/**
 * Writes down which words the vocabulary has from these published articles, in place of those it had
 * from them before. What an article brought goes with its row of published_articles.
 */
export async function write(tx: Db, rows: readonly ArticleWords[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map(({ article_id, words }) => ({ article_id, words: [...new Set(words)].toSorted() }));
  // All writers take the rows in the same order, so that none waits for one that waits for it.
  await sql`
    insert into article_words as present (article_id, words)
    select article_id, words
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (article_id int, words text[])
    order by article_id
    on conflict (article_id) do update set words = excluded.words
      where present.words is distinct from excluded.words`.execute(tx);
}

/** Few enough that a batch is done in a moment and a stopping program waits for no more. */
const BATCH = 5_000;

/**
 * Adds the noted changes to the vocabulary, batch by batch, and returns how many it took. Only one process
 * does so at a time: another leaves the work to it, and takes what is left when it is called again. Within a
 * transaction it waits for its turn instead, and all changes that the transaction sees are folded.
 */
export async function foldChanges(db: Db): Promise<number> {
  // Looking first spares an idle site a transaction.
  if (!(await hasChanges(db))) return 0;
  // Searching from the start again would read through all that are gone.
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
  /** The number of the last change. */
  last: string;
}

/** Folds a part of the changes, or nothing when another process is at it. */
async function foldBatch(
  tx: Db,
  { after, waits }: { after: string; waits: boolean },
): Promise<Batch | undefined> {
  if (!(await takeTurn(tx, "vocabularyFolding", waits))) return undefined;
  // Rows are looked up one by one, because whole tables are not to be read for every batch.
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
