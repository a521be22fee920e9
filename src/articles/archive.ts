import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** The months with articles, such as `2026-03`, the newest first, each by the index of dates. In UTC. */
export async function months(db: Db): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    with recursive months (start) as (
      select date_trunc('month', max(published_at), 'UTC') from published_articles
      union all
      select date_trunc('month', (
        select max(published_at) from published_articles where published_at < months.start
      ), 'UTC') from months where months.start is not null
    )
    select to_char(start at time zone 'UTC', 'YYYY-MM') as month from months where start is not null`.execute(
    db,
  );
  return rows.map(({ month }) => month);
}

/** Of a month, the newest first. */
export async function publishedIn(
  db: Db,
  month: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const { rows } = await sql<{ article_id: number }>`
    select article_id from published_articles
    where published_at >= ${`${month}-01`}::timestamp at time zone 'UTC'
      and published_at < (${`${month}-01`}::timestamp + interval '1 month') at time zone 'UTC'
    order by published_at desc, article_id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}
