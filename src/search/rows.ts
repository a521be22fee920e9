import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { lockShared } from "../db/locks.ts";
import { anyInt } from "../db/values.ts";
import { filterTokensOf, type SearchLanguage, titleKey } from "./tokens.ts";
import { type Searchable, searchVersion, tokensOf, toTsvector } from "./vector.ts";
import * as vocabulary from "./vocabulary.ts";

export interface SearchArticle extends Searchable {
  id: number;
  publishedAt: Date;
  reactions: number;
  tagIds: readonly number[];
}

export async function remove(tx: Db, ids: readonly number[]): Promise<void> {
  await lockShared(tx, "searchTiers");
  await tx.deleteFrom("article_search").where("article_id", "=", anyInt(ids)).execute();
}

/** Writes the rows of published articles, in a transaction that holds the tiers. */
export async function write(
  tx: Db,
  articles: readonly SearchArticle[],
  language: SearchLanguage,
): Promise<void> {
  if (articles.length === 0) return;
  // Keeps the tokens of one article in memory.
  const made = articles.map((article) => {
    const { id, publishedAt, reactions, title } = article;
    const tokens = tokensOf(article, language);
    const { head, all } = toTsvector(tokens, filterTokensOf(article));
    const row = {
      tier: sql<number>`search_tier_of(${reactions}::int, ${publishedAt}::timestamptz, ${id}::int)`,
      article_id: id,
      published_at: publishedAt,
      reactions,
      search_version: searchVersion(language),
      title_key: titleKey(title),
      head: sql<string>`${head}::tsvector`,
      words: sql<string>`${all}::tsvector`,
    };
    return { row, words: { article_id: id, words: vocabulary.vocabularyOf(tokens) } };
  });
  await tx
    .insertInto("article_search")
    .values(made.map(({ row }) => row))
    .execute();
  await vocabulary.write(
    tx,
    made.map(({ words }) => words),
  );
}

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
