import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Reassignment } from "../../platform/db/reassign.ts";
import { anyInt } from "../../platform/db/values.ts";
import { MAX_HOSTS, OTHER_HOSTS } from "./referrers.ts";

/**
 * The key of a day, `offered` if there is none yet. Locks it until the transaction ends, so that bounds are exact.
 */
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
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return key;
}

/** Returns the new visitors. Hashes are hexadecimal and sorted. */
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

/**
 * Adds anonymous views. Hosts beyond the first of an article and day are summed. All writers lock rows in one order.
 */
export async function addViews(tx: Db, counts: ViewCount[]): Promise<void> {
  await sql`
    with given as materialized (
      select given.*, given.referrer <> '' and not exists (
        select from page_views as present
        where present.article_id = given.article_id and present.day = given.day
          and present.referrer = given.referrer
      ) as is_new
      from rows from (
        jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
          as (article_id int, day date, referrer text collate "C", views bigint)
      ) with ordinality as given (article_id, day, referrer, views, place)
      join articles on articles.id = given.article_id
    ), room as (
      select article_id, day, ${MAX_HOSTS} - (
        select count(*) from (
          select distinct referrer from page_views as present
          where present.article_id = crowd.article_id and present.day = crowd.day
            and referrer not in ('', ${OTHER_HOSTS}) limit ${MAX_HOSTS}
        ) as hosts
      ) as hosts
      from (select distinct article_id, day from given where is_new) as crowd
    ), named as (
      select article_id, day, views, case
        when is_new and row_number() over (partition by article_id, day, is_new order by place) > room.hosts
        then ${OTHER_HOSTS} else referrer end as referrer
      from given left join room using (article_id, day)
    ), counted as (
      select article_id, day, referrer, sum(views) as views from named group by article_id, day, referrer
    ), noted as (
      insert into analytics_changes (article_id, day, referrer, views) select * from counted
    )
    insert into page_views as present (article_id, day, referrer, views)
    select * from counted order by article_id, day, referrer collate "C"
    on conflict (article_id, day, referrer, (coalesce(user_id, 0))) do update set
      views = present.views + excluded.views,
      read_time_seconds = round(present.views * present.read_time_seconds::numeric / (present.views + excluded.views))
  `.execute(tx);
}

export async function removeKeysBefore(tx: Db, day: string): Promise<void> {
  await tx
    .deleteFrom("page_view_keys")
    .where("day", "<", sql<never>`${day}::date`)
    .execute();
}

/** Merges older views of people into the anonymous ones, and returns the number of rows. */
export function forgetBefore(tx: Db, day: string, limit: number): Promise<number> {
  return rename(
    tx,
    sql`ctid = any(array(
    select ctid from page_views where user_id is not null and day < ${day}::date
    order by day, article_id limit ${limit} for update
  ))`,
    null,
  );
}

/** The same with all views of these. */
export function forgetPeople(tx: Db, userIds: readonly number[]): Promise<number> {
  return rename(tx, sql`user_id = ${anyInt(userIds)}`, null);
}

export function reassign(tx: Db, { from, to }: Reassignment): Promise<number> {
  return rename(tx, sql`user_id = ${from}`, to);
}

/** Makes views those of another person, or of nobody. The figures stay the same. */
async function rename(tx: Db, condition: RawBuilder<boolean>, to: number | null): Promise<number> {
  const { rows } = await sql<{ renamed: number }>`
    with gone as (
      delete from page_views where ${condition} returning *
    ), sums as (
      select article_id, day, referrer, ${to}::int as user_id, sum(views) as views,
        round(sum(views * read_time_seconds::numeric) / sum(views)) as read_time_seconds,
        sum(signed_in_views) as signed_in_views, sum(signed_in_read_seconds) as signed_in_read_seconds
      from gone group by article_id, day, referrer order by article_id, day, referrer
    ), kept as (
      insert into page_views as present
        (article_id, day, referrer, user_id, views, read_time_seconds, signed_in_views, signed_in_read_seconds)
      select * from sums
      on conflict (article_id, day, referrer, (coalesce(user_id, 0))) do update set
        views = present.views + excluded.views,
        read_time_seconds = round(
          (present.views * present.read_time_seconds::numeric + excluded.views * excluded.read_time_seconds::numeric)
          / (present.views + excluded.views)),
        signed_in_views = present.signed_in_views + excluded.signed_in_views,
        signed_in_read_seconds = present.signed_in_read_seconds + excluded.signed_in_read_seconds
    )
    select count(*)::int as renamed from gone`.execute(tx);
  return rows[0]?.renamed ?? 0;
}
