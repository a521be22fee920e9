import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Tally } from "../records/record-type.ts";

export async function putAll(tx: Db, rows: readonly object[]): Promise<Tally> {
  const { rows: written } = await sql<{ created: boolean }>`
    insert into page_views as present (article_id, day, referrer, user_id, views, read_time_seconds,
      signed_in_views, signed_in_read_seconds)
    select article_id, day, referrer, user_id, views, read_time_seconds, signed_in_views, signed_in_read_seconds
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
      article_id int, day date, referrer text, user_id int, views bigint, read_time_seconds int,
      signed_in_views bigint, signed_in_read_seconds bigint
    )
    order by article_id, day, referrer collate "C", coalesce(user_id, 0)
    on conflict (article_id, day, referrer, (coalesce(user_id, 0))) do update set
      views = excluded.views, read_time_seconds = excluded.read_time_seconds,
      signed_in_views = excluded.signed_in_views, signed_in_read_seconds = excluded.signed_in_read_seconds
    where (present.views, present.read_time_seconds, present.signed_in_views, present.signed_in_read_seconds)
      <> (excluded.views, excluded.read_time_seconds, excluded.signed_in_views, excluded.signed_in_read_seconds)
    returning xmax = 0 as created`.execute(tx);
  const created = written.filter((row) => row.created).length;
  return { created, updated: written.length - created, unchanged: rows.length - written.length };
}

export interface RecordRow {
  article_id: number;
  slug: string;
  day: string;
  referrer: string;
  user_id: number;
  username: string | null;
  views: number;
  read_time_seconds: number;
  signed_in_views: number;
  signed_in_read_seconds: number;
}

/** In the order of the unique index, without deleted articles. */
export async function pageOfRecords(
  db: Db,
  after: Pick<RecordRow, "article_id" | "day" | "referrer" | "user_id"> | undefined,
  limit: number,
): Promise<RecordRow[]> {
  const { article_id = 0, day = "0001-01-01", referrer = "", user_id = 0 } = after ?? {};
  const { rows } = await sql<RecordRow>`
    select page.article_id, slug, day::text, referrer, coalesce(user_id, 0) as user_id, username,
      views::float8, read_time_seconds, signed_in_views::float8, signed_in_read_seconds::float8
    from (
      select page_views.*, slug from page_views
      join articles on articles.id = page_views.article_id and articles.state <> 'deleted'
      where (article_id, day, referrer, coalesce(user_id, 0))
        > (${article_id}::int, ${day}::date, ${referrer}::text, ${user_id}::int)
      order by article_id, day, referrer, coalesce(user_id, 0) limit ${limit}
    ) as page
    left join users on users.id = page.user_id
    order by page.article_id, day, referrer, coalesce(user_id, 0)`.execute(db);
  return rows;
}
