import { sql } from "kysely";
import type { Invariant } from "../../platform/db/invariants.ts";
import { each } from "./queries.ts";

const columns = each(String);
const sums = each((figure) => `sum(${figure}) as ${figure}`);
const isSame = (one: string, other: string) =>
  each((figure) => `coalesce(${one}.${figure}, 0) = coalesce(${other}.${figure}, 0)`, " and ");

/** The rows that the figures of articles are counted from. */
const present = sql`
  select article_id, day, views, signed_in_views, signed_in_read_seconds as read_seconds, 0 as comments, 0 as reactions,
    0 as likes, 0 as readinglists
  from page_views
  union all
  select article_id, (created_at at time zone 'UTC')::date, 0, 0, 0, 0, 1, (category = 'like')::int,
    (category = 'readinglist')::int
  from reactions where article_id is not null
  union all
  select article_id, (created_at at time zone 'UTC')::date, 0, 0, 0, 1, 0, 0, 0
  from comments where article_id is not null and not deleted and score > 0`;

/** The figures of articles are those of their owners too. */
const bySubject = (table: string) => sql`
  select subject.kind, subject.id as subject_id, day, ${columns}
  from ${sql.table(table)} as part left join articles on articles.id = article_id and state = 'published'
  cross join lateral (
    values ('article', article_id), ('user', author_id), ('organization', organization_id)
  ) as subject (kind, id)
  where subject.id is not null`;

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "figures of analytics",
    faults: sql`
      with rows as materialized (
        select article_id, day, ${sums} from (${present}) as each group by article_id, day
      ), present as (
        select kind, subject_id, day, ${sums} from (${bySubject("rows")}) as each group by kind, subject_id, day
      ), waiting as (
        select * from analytics_changes where day is not null
      ), kept as (
        select kind, subject_id, day, ${sums}
        from (
          select kind, subject_id, day, ${columns} from analytics_days where num_nonnulls(day, referrer) = 1
          union all
          select owner_kind, owner_id, part.day, ${each((figure) => `sign * part.${figure}`)}
          from analytics_changes join analytics_days as part on kind = 'article' and subject_id = article_id
          where owner_id is not null and num_nonnulls(part.day, part.referrer) = 1
          union all
          ${bySubject("waiting")}
        ) as each
        group by kind, subject_id, day
      )
      select format('The figures of the %s %s on %s differ from what they are counted from.', kind, subject_id, day) as fault
      from kept full join present using (kind, subject_id, day)
      where not (${isSame("kept", "present")})`,
  },
  {
    check: "figures of referrers",
    faults: sql`
      with kept as (
        select kind, subject_id, num_nonnulls(day, referrer) as sort, ${sums}
        from analytics_days group by 1, 2, 3
      ), by_day as (
        select * from kept where sort = 1
      )
      select format('The views of the %s %s are %s, by referrer and day %s.', kind, subject_id,
        coalesce(by_day.views, 0), coalesce(by_referrer.views, 0)) as fault
      from by_day full join (select * from kept where sort = 2) as by_referrer using (kind, subject_id)
      where coalesce(by_day.views, 0) <> coalesce(by_referrer.views, 0)
      union all
      select format('The %s %s counts %s views in all, but has %s.', kind, subject_id, coalesce(total.views, 0),
        coalesce(by_day.views, 0))
      from by_day full join (select * from kept where sort = 0) as total using (kind, subject_id)
      where not (${isSame("total", "by_day")})`,
  },
];
