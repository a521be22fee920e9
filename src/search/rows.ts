import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";
import { prepare } from "../platform/db/prepared.ts";
import type { BodyTerms } from "../content/text/render-pool.ts";
import type { SearchLanguage } from "../platform/text/search-languages.ts";
import { titleKey } from "./index/tokens.ts";
import { type Head, headTerms, searchVersion } from "./index/vector.ts";

export interface SearchArticle extends Head {
  id: number;
  publishedAt: Date;
  tagIds: readonly number[];
  body: BodyTerms;
}

export async function write(tx: Db, articles: readonly SearchArticle[]): Promise<void> {
  if (articles.length === 0) return;
  const rows = articles.map((article) => {
    const { id, title, body } = article;
    const head = headTerms(article, body.language, filterTokensOf(article));
    return {
      article_id: id,
      search_version: body.version,
      title_key: titleKey(title),
      head: head.vector,
      body: body.vector,
      article_words: [...new Set([...head.words, ...body.words])].toSorted(),
    };
  });
  await writeRows(tx, { rows: JSON.stringify(rows) });
}

/** The words of an article go with its row of published_articles. Rows that stay the same are no change for memory. */
const writeRows = prepare<{ rows: string }, object>(
  (value) => sql`
    with given as materialized (
      select article_id, search_version, title_key, head::tsvector as head,
        head::tsvector || body::tsvector as words, article_words
      from json_to_recordset(${value("rows")}::json) as given (article_id int, search_version smallint,
        title_key text, head text, body text, article_words text[])
    ), written as (
      insert into search_rows as present (article_id, search_version, title_key, head, words)
      select article_id, search_version, title_key, head, words from given
      on conflict (article_id) do update set search_version = excluded.search_version,
          title_key = excluded.title_key, head = excluded.head, words = excluded.words
        where (present.search_version, present.title_key, present.head, present.words)
          is distinct from (excluded.search_version, excluded.title_key, excluded.head, excluded.words)
    )
    insert into article_words as present (article_id, words)
    select article_id, article_words from given
    on conflict (article_id) do update set words = excluded.words where present.words <> excluded.words`,
);

export async function outdated(db: Db, language: SearchLanguage, limit: number): Promise<number[]> {
  const version = searchVersion(language);
  const rows = await db
    .selectFrom("search_rows")
    .select("article_id")
    .where((eb) => eb.or([eb("search_version", "<", version), eb("search_version", ">", version)]))
    .limit(limit)
    .execute();
  return rows.map(({ article_id }) => article_id);
}

/** Tokens that no text has, by which the index itself narrows a search to a tag or to weeks. */
function filterTokensOf(article: { tagIds: readonly number[]; publishedAt: Date }): string[] {
  return [...article.tagIds.map(tagToken), `~w${weekOf(article.publishedAt)}`];
}

export const tagToken = (id: number): string => `~t${id}`;

export function weekTokens(since: Date, now: Date): string[] {
  const weeks = [];
  for (let week = weekOf(since); week <= weekOf(now); week++) weeks.push(`~w${week}`);
  return weeks;
}

export function weekOf(date: Date): number {
  return Math.floor(date.getTime() / (7 * 86_400_000));
}
