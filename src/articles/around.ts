import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { prepare } from "../db/prepared.ts";
import type { FullRow } from "./queries.ts";

/** An article as a link to it shows it. */
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
  /** Besides the series, the newest first. */
  byAuthor: Neighbour[];
  /** Of others, the most similar first. */
  related: Neighbour[];
}

interface Row extends Neighbour {
  kind: "series" | "author" | "related";
  series: string | null;
}

const LIMITS = { series: 100, author: 4, related: 4, candidatesOfTag: 20 };

/**
 * Related are the articles that share most tags and words of the title, out of the hottest of each tag: the cost
 * doesn't grow with the number of articles.
 */
const statement = prepare<{ id: number; authorId: number; collectionId: number | null }, Row>(
  (value) => sql`
    with self as materialized (
      select array_to_string(array(
        select quote_literal(lexeme) from unnest(head) as word (lexeme, positions, weights)
        where 'A' = any(weights)
      ), ' | ')::tsquery as title
      from article_search where article_id = ${value("id")}::int limit 1
    ), candidates as materialized (
      select near.article_id, count(*) as shared
      from article_tags as own cross join lateral (
        select article_id from article_tags as other where other.tag_id = own.tag_id
        order by hotness desc, published_at desc, article_id desc limit ${sql.lit(LIMITS.candidatesOfTag)}
      ) as near
      where own.article_id = ${value("id")}::int and near.article_id <> ${value("id")}::int
      group by near.article_id
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
      (select 'related', article_id, row_number() over (order by shared + 4 * ts_rank(head, title) desc, article_id desc)
        from candidates join article_search using (article_id) cross join self
        join published_articles as listed using (article_id)
        where listed.author_id <> ${value("authorId")}::int
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
  { id, author_id, collection_id }: Pick<FullRow, "id" | "author_id" | "collection_id">,
): Promise<Around> {
  const rows = await statement(db, { id, authorId: author_id, collectionId: collection_id });
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
