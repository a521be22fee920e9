import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { lockShared } from "../db/locks.ts";
import { prepare } from "../db/prepared.ts";
import { anyInt } from "../db/values.ts";
import type { SearchLanguage, Terms } from "../text/render-pool.ts";
import { filterTokensOf, titleKey } from "./tokens.ts";
import { type Head, headTerms, searchVersion } from "./vector.ts";

export interface SearchArticle extends Head {
  id: number;
  publishedAt: Date;
  reactions: number;
  tagIds: readonly number[];
  body: Terms;
}

export async function remove(tx: Db, ids: readonly number[]): Promise<void> {
  await lockShared(tx, "searchTiers");
  await tx.deleteFrom("article_search").where("article_id", "=", anyInt(ids)).execute();
}

/**
 * Writes the rows of published articles, in a transaction that holds the tiers: to search, or to the table of rows that
 * wait.
 */
export async function write(
  tx: Db,
  articles: readonly SearchArticle[],
  { language, areWaiting = false }: { language: SearchLanguage; areWaiting?: boolean },
): Promise<void> {
  if (articles.length === 0) return;
  const words: Parameters<typeof writeWords>[1][number][] = [];
  const rows = articles.map((article) => {
    const { id, publishedAt, reactions, title, body } = article;
    const head = headTerms(article, language, filterTokensOf(article));
    words.push({ article_id: id, words: [...head.words, ...body.words] });
    return {
      article_id: id,
      published_at: publishedAt,
      reactions,
      search_version: searchVersion(language),
      title_key: titleKey(title),
      head: head.vector,
      body: body.vector,
    };
  });
  await (areWaiting ? holdRows : addRows)(tx, { rows: JSON.stringify(rows) });
  await writeWords(tx, words);
}

/** Replaces the words that these published articles contribute. They go with the rows of published_articles. */
export async function writeWords(
  tx: Db,
  rows: readonly { article_id: number; words: readonly string[] }[],
): Promise<void> {
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

type Given = Parameters<Parameters<typeof prepare<{ rows: string }, object>>[0]>[0];

const given = (value: Given) => sql`
  json_to_recordset(${value("rows")}::json) as given (article_id int, published_at timestamptz, reactions int,
    search_version smallint, title_key text, head text, body text)`;

const addRows = prepare<{ rows: string }, object>(
  (value) => sql`
    insert into article_search (tier, article_id, published_at, reactions, search_version, title_key, head, words)
    select search_tier_of(reactions, published_at, article_id), article_id, published_at, reactions, search_version,
      title_key, head::tsvector, head::tsvector || body::tsvector
    from ${given(value)}`,
);

const holdRows = prepare<{ rows: string }, object>(
  (value) => sql`
    insert into waiting_search_rows (article_id, search_version, title_key, head, words)
    select article_id, search_version, title_key, head::tsvector, head::tsvector || body::tsvector
    from ${given(value)}
    on conflict (article_id) do update set search_version = excluded.search_version, title_key = excluded.title_key,
      head = excluded.head, words = excluded.words`,
);

/** Rows of another version or language. */
export async function outdated(db: Db, language: SearchLanguage, limit: number): Promise<number[]> {
  const version = searchVersion(language);
  const rows = await db
    .selectFrom("article_search")
    .select("article_id")
    .where((eb) => eb.or([eb("search_version", "<", version), eb("search_version", ">", version)]))
    .limit(limit)
    .execute();
  return rows.map(({ article_id }) => article_id);
}
