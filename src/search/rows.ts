import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import type { BodyTerms, SearchLanguage } from "../text/render-pool.ts";
import { filterTokensOf } from "./filter-tokens.ts";
import { titleKey } from "../search-index/tokens.ts";
import { type Head, headTerms, searchVersion } from "../search-index/vector.ts";

export interface SearchArticle extends Head {
  id: number;
  publishedAt: Date;
  reactions: number;
  tagIds: readonly number[];
  body: BodyTerms;
}

/**
 * Writes the rows of published articles, in a transaction that shares the lock of the tiers: to search, or to the table of
 * rows that wait.
 */
export async function write(tx: Db, articles: readonly SearchArticle[], areWaiting = false): Promise<void> {
  if (articles.length === 0) return;
  const rows = articles.map((article) => {
    const { id, publishedAt, reactions, title, body } = article;
    const head = headTerms(article, body.language, filterTokensOf(article));
    return {
      article_id: id,
      published_at: publishedAt,
      reactions,
      search_version: searchVersion(body.language),
      title_key: titleKey(title),
      head: head.vector,
      body: body.vector,
      words: [...new Set([...head.words, ...body.words])].toSorted(),
    };
  });
  const ids = rows.map(({ article_id }) => article_id);
  await (areWaiting ? holdRows : writeRows)(tx, { ids, rows: JSON.stringify(rows) });
}

interface Written {
  ids: number[];
  rows: string;
}

type Value = Parameters<Parameters<typeof prepare<Written, object>>[0]>[0];

/** The given rows, whose articles are locked. */
const given = (value: Value) => sql`
  given as materialized (
    select article_id, published_at, reactions, search_version, title_key, head::tsvector as head,
      head::tsvector || body::tsvector as vector, words
    from json_to_recordset(${value("rows")}::json) as given (article_id int, published_at timestamptz, reactions int,
      search_version smallint, title_key text, head text, body text, words text[])
  )`;

/** The words of an article go with its row of published_articles. */
const WRITE_WORDS = sql`
  insert into article_words as present (article_id, words)
  select article_id, words from given
  on conflict (article_id) do update set words = excluded.words where present.words <> excluded.words`;

const writeRows = prepare<Written, object>(
  (value) => sql`
    with ${given(value)}, changed as (
      update article_search as present
      set tier = search_tier_of(given.reactions, given.published_at, given.article_id),
        published_at = given.published_at, reactions = given.reactions, search_version = given.search_version,
        title_key = given.title_key, head = given.head, words = given.vector
      from given where present.article_id = given.article_id and present.article_id = any(${value("ids")}::int[])
      returning present.article_id
    ), added as (
      insert into article_search (tier, article_id, published_at, reactions, search_version, title_key, head, words)
      select search_tier_of(reactions, published_at, article_id), article_id, published_at, reactions, search_version,
        title_key, head, vector
      from given where article_id not in (select article_id from changed)
    )
    ${WRITE_WORDS}`,
);

const holdRows = prepare<Written, object>(
  (value) => sql`
    with ${given(value)}, held as (
      insert into waiting_search_rows (article_id, search_version, title_key, head, words)
      select article_id, search_version, title_key, head, vector from given
      on conflict (article_id) do update set search_version = excluded.search_version, title_key = excluded.title_key,
        head = excluded.head, words = excluded.words
    )
    ${WRITE_WORDS}`,
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
