import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

export type Kind = "articles" | "people" | "organizations" | "tags";

export interface Row {
  name: string;
  slug: string | null;
  changed_at: Date;
}

/** Everything in these tables is published, and an index leads by each of these columns. */
const NUMBERS: Record<Kind, { table: string; column: string }> = {
  articles: { table: "published_articles", column: "article_id" },
  people: { table: "published_articles", column: "author_id" },
  organizations: { table: "published_articles", column: "organization_id" },
  tags: { table: "article_tags", column: "tag_id" },
};

/** Links as in the setting `navigation_links`. */
export async function sections(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ link: string }>`
    select link from (values
      ('Podcasts | /podcasts', exists (select from podcasts where published)),
      ('Videos | /videos', exists (select from published_articles where has_video and published_at <= ${now})),
      ('Listings | /listings', exists (select from listings where published and (expires_at is null or expires_at > ${now})))
    ) as sections (link, is_used) where is_used`.execute(db);
  return rows.map(({ link }) => link);
}

export async function highestSum(db: Db): Promise<number> {
  const highest = Object.values(NUMBERS).map(
    ({ table, column }) =>
      sql`coalesce((select max(${sql.ref(column)}) from ${sql.table(table)}), 0)::bigint`,
  );
  const { rows } = await sql<{ sum: string }>`select ${sql.join(highest, sql` + `)} as sum`.execute(db);
  return Number(rows[0]?.sum);
}

/** The numbers of the ranges of `size` ids that have rows, from 1. An index finds them. */
export async function ranges(db: Db, kind: Kind, size: number): Promise<number[]> {
  const { table, column } = NUMBERS[kind];
  const number = sql.ref(column);
  const lowest = sql`select (${number} - 1) / ${sql.lit(size)} + 1 from ${sql.table(table)}`;
  const { rows } = await sql<{ range: number }>`
    with recursive ranges (range) as (
      (${lowest} where ${number} > 0 order by ${number} limit 1)
      union all
      select (${lowest} where ${number} > range * ${sql.lit(size)}::bigint order by ${number} limit 1)
      from ranges where range is not null
    )
    select range from ranges where range is not null`.execute(db);
  return rows.map(({ range }) => range);
}

export interface IdRange {
  after: number;
  upTo: number;
  now: Date;
}

export async function list(db: Db, kind: Kind, range: IdRange): Promise<Row[]> {
  const { rows } = await LISTS[kind](range).execute(db);
  return rows;
}

const LISTS: Record<Kind, (range: IdRange) => RawBuilder<Row>> = {
  articles: ({ after, upTo, now }) => sql`
    select coalesce(organization.username, author.username) as name, slug,
      greatest(listed.published_at, edited_at) as changed_at
    from published_articles as listed
    -- Said again, so that no plan begins with the articles before.
    join articles on articles.id = listed.article_id
      and articles.id > ${after}::bigint and articles.id <= ${upTo}::bigint
    join users as author on author.id = articles.author_id
    left join organizations as organization on organization.id = articles.organization_id
    where article_id > ${after}::bigint and article_id <= ${upTo}::bigint and listed.published_at <= ${now}
    order by article_id`,
  people: (range) => named("users", sql`username`, range, sql`published_articles where author_id = named.id`),
  organizations: (range) =>
    named("organizations", sql`username`, range, sql`published_articles where organization_id = named.id`),
  tags: (range) => named("tags", sql`name`, range, sql`article_tags where tag_id = named.id`),
};

function named(
  table: string,
  name: RawBuilder<unknown>,
  { after, upTo, now }: IdRange,
  published: RawBuilder<unknown>,
): RawBuilder<Row> {
  return sql`
    select ${name} as name, null as slug, newest.published_at as changed_at
    from ${sql.table(table)} as named
    cross join lateral (
      select published_at from ${published} and published_at <= ${now} order by published_at desc, article_id desc limit 1
    ) as newest
    where id > ${after}::bigint and id <= ${upTo}::bigint
    order by id`;
}
