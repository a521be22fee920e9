import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

export interface SearchFilter {
  /** Text of a tsquery over the tokens that src/text makes. */
  words: string;
  tagId?: number | undefined;
  publishedAfter?: Date | undefined;
  order: "relevance" | "reactions";
  limit: number;
  offset: number;
  after?: readonly (string | number)[] | undefined;
}

export interface Found {
  article_id: number;
  version: string;
  published_at: Date;
  reactions: number;
  rank: number;
}

/** Weights of D, C, B, A: body, description, tags and names, title. */
const WEIGHTS = "{0.02, 0.1, 0.4, 1}";

/**
 * How well an article answers: where the words stand, with a mild lift for popularity (a hundred
 * times the reactions weigh as much as half a word in the description) and for freshness (0.01 a
 * year). See docs/search.md.
 */
const rank = (words: string) => sql<number>`(
  ts_rank(${WEIGHTS}::real[], head, ${words}::tsquery)::float8
  + 0.01 * ln(1 + reactions) + 0.000000000317 * extract(epoch from published_at))::float8`;

/** Published articles whose words match, best first, or most loved first. */
export async function search(db: Db, filter: SearchFilter): Promise<Found[]> {
  const { words, tagId, publishedAfter, order, after } = filter;
  const keys =
    order === "relevance" ? sql`rank, published_at, article_id` : sql`reactions, published_at, article_id`;
  const by = sql.ref(order === "relevance" ? "rank" : "reactions");
  const conditions = [
    sql`words @@ ${words}::tsquery`,
    ...(publishedAfter ? [sql`published_at > ${publishedAfter}`] : []),
    ...(tagId === undefined
      ? []
      : [
          sql`exists (select from article_tags as tagged where tagged.tag_id = ${tagId} and tagged.article_id = found.article_id)`,
        ]),
  ];
  const { rows } = await sql<Found>`
    select page.*, articles.version from (
      select * from (
        select article_id, published_at, reactions, ${rank(words)} as rank from article_search as found
        where ${sql.join(conditions, sql` and `)}
      ) as matching
      ${after ? sql`where (${keys}) < (${sql.join([...after.slice(0, 1).map((value) => sql`${value}::float8`), sql`${after[1]}::timestamptz`, sql`${after[2]}::int`])})` : sql``}
      order by ${by} desc, published_at desc, article_id desc limit ${filter.limit} offset ${filter.offset}
    ) as page
    join articles on articles.id = page.article_id
    order by ${by} desc, page.published_at desc, page.article_id desc`.execute(db);
  return rows;
}
