import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Neighbour } from "./around.ts";

/** The months with articles, the newest first, each from the index of dates. In UTC. */
export async function months(db: Db): Promise<{ month: string; count: number }[]> {
  const { rows } = await sql<{ month: string; count: number }>`
    with recursive months (start) as (
      select date_trunc('month', max(published_at), 'UTC') from published_articles
      union all
      select date_trunc('month', (
        select max(published_at) from published_articles where published_at < months.start
      ), 'UTC') from months where months.start is not null
    )
    select to_char(start at time zone 'UTC', 'YYYY-MM') as month, (
      select count(*) from published_articles
      where published_at >= start and published_at < start + interval '1 month'
    )::int as count
    from months where start is not null`.execute(db);
  return rows;
}

/** Of a month like `2026-03`, the newest first. */
export async function publishedIn(
  db: Db,
  month: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Neighbour[]> {
  const start = new Date(`${month}-01T00:00:00Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  const { rows } = await sql<Neighbour>`
    select articles.id, title, articles.slug, articles.published_at, reading_time_minutes,
      jsonb_build_object('username', users.username, 'name', users.name) as user,
      case when organizations.id is not null
        then jsonb_build_object('username', organizations.username) end as organization
    from (
      select article_id, published_at from published_articles
      where published_at >= ${start} and published_at < ${end}
      order by published_at desc, article_id desc limit ${limit} offset ${offset}
    ) as listed
    join articles on articles.id = article_id join users on users.id = author_id
    left join organizations on organizations.id = organization_id
    order by listed.published_at desc, article_id desc`.execute(db);
  return rows;
}

export interface Series {
  name: string;
  user: { username: string; name: string };
  articles: { article_id: number }[];
}

/** The published articles of a person's series, the oldest first. */
export async function findSeries(db: Db, username: string, name: string): Promise<Series | undefined> {
  const series = await db
    .selectFrom("collections")
    .innerJoin("users", "users.id", "collections.user_id")
    .select(["collections.id", "collections.slug", "users.username", "users.name"])
    .where("users.username", "=", username)
    .where("collections.slug", "=", name)
    .executeTakeFirst();
  if (series === undefined) return undefined;
  const articles = await db
    .selectFrom("published_articles")
    .select("article_id")
    .where("collection_id", "=", series.id)
    .orderBy("published_at")
    .orderBy("article_id", "desc")
    .limit(200)
    .execute();
  return { name: series.slug, user: { username: series.username, name: series.name }, articles };
}

/** A person's series with published articles. */
export async function seriesOf(db: Db, userId: number): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select slug as name, count(*)::int as count
    from collections join published_articles on collection_id = collections.id
    where user_id = ${userId} group by slug order by max(published_at) desc limit 200`.execute(db);
  return rows;
}

/** The present name of an author or organization that articles were found under; undefined if none was. */
export async function currentName(db: Db, name: string): Promise<string | undefined> {
  // `0` follows `/`.
  const { rows } = await sql<{ username: string }>`
    select coalesce(organizations.username, users.username) as username
    from (select article_id from retired_paths where path > ${`/${name}/`} and path < ${`/${name}0`} limit 100) as found
    join articles on articles.id = article_id and state = 'published' join users on users.id = author_id
    left join organizations on organizations.id = organization_id
    group by 1 order by count(*) desc, 1 limit 1`.execute(db);
  return rows[0]?.username;
}
