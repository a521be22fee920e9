import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyOf, FIGURES, listed } from "./figures.ts";

/** Adds to the figures of days. Rows are looked up one by one; those that come to nothing go. */
export async function addDays(tx: Db, changes: RawBuilder<unknown>): Promise<void> {
  const columns = sql.join(FIGURES.map((name) => sql.ref(name)));
  const { rows: empty } = await sql<{ kind: string; subject_id: number; day: string }>`
    with changes as (${changes}), kept as (
      insert into analytics_days as present (kind, subject_id, day, ${columns})
      select kind, subject_id, day, ${columns} from changes where ${anyOf((name) => sql.ref(name))}
      on conflict (kind, subject_id, day) do update
        set ${listed((name) => sql`${sql.ref(name)} = present.${sql.ref(name)} + excluded.${sql.ref(name)}`)}
      returning kind, subject_id, day, not (${anyOf((name) => sql.ref(name))}) as is_empty
    )
    select kind, subject_id, day::text from kept where is_empty`.execute(tx);
  if (empty.length === 0) return;
  await sql`
    delete from analytics_days using jsonb_to_recordset(${JSON.stringify(empty)}::jsonb)
      as empty (kind text, subject_id int, day date)
    where analytics_days.kind = empty.kind and analytics_days.subject_id = empty.subject_id
      and analytics_days.day = empty.day`.execute(tx);
}

interface EmptyReferrer {
  kind: string;
  subject_id: number;
  referrer: string;
  day?: string;
  month?: string;
}

/** The same of views by referrer: by day, by month, and in all. */
export async function addReferrers(tx: Db, changes: RawBuilder<unknown>): Promise<void> {
  // All from one reading, so that they can't come to differ.
  const { rows: empty } = await sql<EmptyReferrer>`
    with changes as materialized (${changes}), by_day as (
      insert into analytics_referrer_days as present (kind, subject_id, day, referrer, views)
      select kind, subject_id, day, referrer, views from changes where views <> 0
      on conflict (kind, subject_id, day, referrer) do update set views = present.views + excluded.views
      returning kind, subject_id, day, referrer, views
    ), by_month as (
      insert into analytics_referrer_months as present (kind, subject_id, month, referrer, views)
      select kind, subject_id, month_of(day), referrer, sum(views) from changes
      group by kind, subject_id, month_of(day), referrer having sum(views) <> 0
      on conflict (kind, subject_id, month, referrer) do update set views = present.views + excluded.views
      returning kind, subject_id, month, referrer, views
    ), in_all as (
      insert into analytics_referrers as present (kind, subject_id, referrer, views)
      select kind, subject_id, referrer, sum(views) from changes
      group by kind, subject_id, referrer having sum(views) <> 0
      on conflict (kind, subject_id, referrer) do update set views = present.views + excluded.views
      returning kind, subject_id, referrer, views
    )
    select kind, subject_id, referrer, day::text, null as month from by_day where views = 0
    union all
    select kind, subject_id, referrer, null, month::text from by_month where views = 0
    union all
    select kind, subject_id, referrer, null, null from in_all where views = 0`.execute(tx);
  if (empty.length === 0) return;
  await sql`
    with empty as (
      select * from jsonb_to_recordset(${JSON.stringify(empty)}::jsonb)
        as given (kind text, subject_id int, referrer text, day date, month date)
    ), by_day as (
      delete from analytics_referrer_days as kept using empty
      where kept.kind = empty.kind and kept.subject_id = empty.subject_id and kept.day = empty.day
        and kept.referrer = empty.referrer collate "C"
    ), by_month as (
      delete from analytics_referrer_months as kept using empty
      where kept.kind = empty.kind and kept.subject_id = empty.subject_id and kept.month = empty.month
        and kept.referrer = empty.referrer collate "C"
    )
    delete from analytics_referrers as kept using empty
    where kept.kind = empty.kind and kept.subject_id = empty.subject_id
      and empty.day is null and empty.month is null
      and kept.referrer = empty.referrer collate "C"`.execute(tx);
}
