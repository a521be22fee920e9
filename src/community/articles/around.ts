import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { PUBLISHED_COUNT } from "./counting.ts";
import type { PageRow } from "./page.ts";

export interface Neighbour {
  id: number;
  title: string;
  slug: string;
  published_at: Date;
  reading_time_minutes: number;
  user: { username: string; name: string };
  organization: { username: string } | null;
}

export interface Around {
  /** Its first articles, and whether there are more. */
  series: { name: string; articles: Neighbour[]; hasMore: boolean } | undefined;
  byAuthor: Neighbour[];
  /** Articles of other authors, the most similar first. */
  related: Neighbour[];
}

interface Row extends Neighbour {
  kind: "series" | "author" | "related";
  series: string | null;
}

interface Anchor {
  id: number;
  authorId: number;
  collectionId: number | null;
  /** Null unless it is sure. */
  language: string | null;
}

const LIMITS = { series: 100, author: 4, related: 4, candidatesOfTag: 20, titleWords: 20 };

/** Articles are related if what they share is as rare as one tag of one article in so many. */
const RARITY = 15;

/**
 * Related are the articles that share rare tags and words of the title, out of the hottest of each tag: the cost
 * doesn't grow with the number of articles. A tag or word weighs by how few articles have it (inverse document
 * frequency), so one frequent tag relates nothing. A word says half as much as a tag: two titles share it by chance.
 * Only words of the vocabulary have a count.
 */
const statement = prepare<Anchor, Row>(
  (value) => sql`
    with total as materialized (
      select greatest(${PUBLISHED_COUNT}, 1)::float8 as articles
    ), title_words as materialized (
      select (quote_literal(lexeme) || ':A')::tsquery as word,
        greatest(ln(articles / greatest(articles_count, 2)), 0) / 2 as weight
      from total, (
        select lexeme from search_rows, unnest(head) as word (lexeme, positions, weights)
        where article_id = ${value("id")}::int and 'A' = any(weights)
          and to_tsvector('english', lexeme) <> '' limit ${sql.lit(LIMITS.titleWords)}
      ) as own join search_words on search_words.word = lexeme
    ), candidates as materialized (
      select near.article_id, sum(greatest(ln(articles / greatest(articles_count, 2)), 0)) as weight
      from total, article_tags as own join tags on tags.id = own.tag_id cross join lateral (
        select article_id from article_tags as other where other.tag_id = own.tag_id
        order by hotness desc, published_at desc, article_id desc limit ${sql.lit(LIMITS.candidatesOfTag)}
      ) as near
      where own.article_id = ${value("id")}::int and near.article_id <> ${value("id")}::int
      group by near.article_id
    ), weighed as (
      select article_id, candidates.weight + coalesce(
        (select sum(title_words.weight) from title_words where head @@ word), 0
      ) as weight
      from candidates join search_rows using (article_id) join published_articles as listed using (article_id)
      join articles on articles.id = article_id
      where listed.author_id <> ${value("authorId")}::int
        and articles.language is not distinct from ${value("language")}::text
    ), around as (
      (select 'series' as kind, article_id, row_number() over (order by published_at, article_id desc) as place
        from published_articles where collection_id = ${value("collectionId")}::int
        order by published_at, article_id desc limit ${sql.lit(LIMITS.series + 1)})
      union all
      (select 'author', article_id, row_number() over (order by published_at desc, article_id desc)
        from published_articles
        where author_id = ${value("authorId")}::int and article_id <> ${value("id")}::int
          and (collection_id = ${value("collectionId")}::int) is not true
        order by published_at desc, article_id desc limit ${sql.lit(LIMITS.author)})
      union all
      (select 'related', article_id, row_number() over (order by weight desc, article_id desc)
        from weighed where weight >= ln(${sql.lit(RARITY)}::float8)
        order by 3 limit ${sql.lit(LIMITS.related)})
    )
    select around.kind, collections.slug as series, article_id as id, title, articles.slug, articles.published_at,
      reading_time_minutes, json_build_object('username', users.username, 'name', users.name) as user,
      case when organizations.id is not null then json_build_object('username', organizations.username) end as organization
    from around join articles on articles.id = article_id join users on users.id = articles.author_id
    left join organizations on organizations.id = articles.organization_id
    left join collections on around.kind = 'series' and collections.id = articles.collection_id
    order by around.kind, place`,
);

export async function around(
  db: Db,
  {
    id,
    author_id,
    collection_id,
    language,
  }: Pick<PageRow, "id" | "author_id" | "collection_id" | "language">,
): Promise<Around> {
  const rows = await statement(db, { id, authorId: author_id, collectionId: collection_id, language });
  const of = (kind: Row["kind"]) => rows.filter((row) => row.kind === kind);
  const name = rows.find(({ kind }) => kind === "series")?.series ?? undefined;
  const parts = of("series");
  const series = { articles: parts.slice(0, LIMITS.series), hasMore: parts.length > LIMITS.series };
  return {
    series: name === undefined ? undefined : { name, ...series },
    byAuthor: of("author"),
    related: of("related"),
  };
}
