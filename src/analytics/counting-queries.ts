import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** The key of a day, which is `offered` if nobody has given another. */
export async function keyOf(tx: Db, day: string, offered: Buffer): Promise<Buffer> {
  await tx
    .insertInto("page_view_keys")
    .values({ day, key: offered })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { key } = await tx
    .selectFrom("page_view_keys")
    .select("key")
    .where("day", "=", sql<never>`${day}::date`)
    .executeTakeFirstOrThrow();
  return key;
}

/** Adds visitors, in hexadecimal and in order, and gives those who weren't there. */
export async function addVisitors(tx: Db, day: string, hashes: string[]): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    insert into page_view_visitors (day, visitor)
    select ${day}::date, decode(hash, 'hex') from unnest(${hashes}::text[]) as given (hash)
    on conflict do nothing
    returning encode(visitor, 'hex') as hash`.execute(tx);
  return rows.map(({ hash }) => hash);
}

export interface ViewCount {
  article_id: number;
  day: string;
  referrer: string;
  views: number;
}

/** Adds views by nobody in particular; all writers take the rows in the same order. */
export async function addViews(tx: Db, counts: ViewCount[]): Promise<void> {
  await sql`
    insert into page_views as present (article_id, day, referrer, views)
    select given.article_id, given.day, given.referrer, given.views
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
      as given (article_id int, day date, referrer text, views bigint)
    join articles on articles.id = given.article_id
    order by given.article_id, given.day, given.referrer collate "C"
    on conflict (article_id, day, referrer, (coalesce(user_id, 0))) do update set
      views = present.views + excluded.views,
      read_time_seconds = round(present.views * present.read_time_seconds::numeric / (present.views + excluded.views))
  `.execute(tx);
}

/** Throws the keys of the days before this one away, and with them who visited then. */
export async function removeKeysBefore(tx: Db, day: string): Promise<void> {
  await tx
    .deleteFrom("page_view_keys")
    .where("day", "<", sql<never>`${day}::date`)
    .execute();
}

/** Counts views of people before this day together with those of nobody in particular, and gives how many rows. */
export async function forgetBefore(tx: Db, day: string, limit: number): Promise<number> {
  const { rows } = await sql<{ forgotten: number }>`
    with gone as (
      delete from page_views
      where ctid = any(array(
        select ctid from page_views where user_id is not null and day < ${day}::date
        order by day, article_id limit ${limit} for update
      ))
      returning *
    ), sums as (
      select article_id, day, referrer, sum(views) as views,
        round(sum(views * read_time_seconds::numeric) / sum(views)) as read_time_seconds,
        sum(signed_in_views) as signed_in_views, sum(signed_in_read_seconds) as signed_in_read_seconds
      from gone group by article_id, day, referrer order by article_id, day, referrer
    ), kept as (
      insert into page_views as present
        (article_id, day, referrer, views, read_time_seconds, signed_in_views, signed_in_read_seconds)
      select * from sums
      on conflict (article_id, day, referrer, (coalesce(user_id, 0))) do update set
        views = present.views + excluded.views,
        read_time_seconds = round(
          (present.views * present.read_time_seconds::numeric + excluded.views * excluded.read_time_seconds::numeric)
          / (present.views + excluded.views)),
        signed_in_views = present.signed_in_views + excluded.signed_in_views,
        signed_in_read_seconds = present.signed_in_read_seconds + excluded.signed_in_read_seconds
    )
    select count(*)::int as forgotten from gone`.execute(tx);
  return rows[0]?.forgotten ?? 0;
}
