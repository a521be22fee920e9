import { type RawBuilder, sql } from "kysely";
import type { Invariant } from "../db/invariants.ts";
import { FIGURES } from "./queries.ts";

const figures = (given: Partial<Record<(typeof FIGURES)[number], string>>): RawBuilder<unknown> =>
  sql.raw(FIGURES.map((name) => `${given[name] ?? "0"} as ${name}`).join(", "));

const sums = sql.raw(FIGURES.map((name) => `sum(${name}) as ${name}`).join(", "));
const columns = sql.raw(FIGURES.join(", "));
const same = sql.raw(
  FIGURES.map((name) => `coalesce(kept.${name}, 0) = coalesce(present.${name}, 0)`).join(" and "),
);

const present = sql`
  select 'article' as kind, article_id as subject_id, day,
    ${figures({ views: "views", signed_in_views: "signed_in_views", read_seconds: "signed_in_read_seconds" })}
  from page_views
  union all
  select 'article', article_id, day_of(created_at),
    ${figures({ reactions: "1", likes: "(category = 'like')::int", readinglists: "(category = 'readinglist')::int" })}
  from reactions where article_id is not null
  union all
  select 'article', article_id, day_of(created_at), ${figures({ comments: "1" })}
  from comments where article_id is not null and not deleted and score > 0
  union all
  select case when organization_id is null then 'user' else 'organization' end,
    coalesce(organization_id, followed_user_id), day_of(created_at), ${figures({ follows: "1" })}
  from follows where tag_id is null`;

/** The figures of each subject, and of the owners at the last roll-up. */
const bySubject = (table: string): RawBuilder<unknown> => sql`
  select subject.kind, subject.id as subject_id, day, ${columns}
  from ${sql.table(table)} as part
  left join analytics_owners as owner on part.kind = 'article' and owner.article_id = part.subject_id
  cross join lateral (
    values (part.kind, part.subject_id), ('user', owner.author_id), ('organization', owner.organization_id)
  ) as subject (kind, id)
  where subject.id is not null`;

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "figures of analytics",
    faults: sql`
      with rows as materialized (
        select kind, subject_id, day, ${sums} from (${present}) as each group by kind, subject_id, day
      ), present as (
        select kind, subject_id, day, ${sums} from (${bySubject("rows")}) as each
        group by kind, subject_id, day
      ), kept as (
        select kind, subject_id, day, ${sums}
        from (select kind, subject_id, day, ${columns} from analytics_days union all ${bySubject("analytics_changes")}) as each
        group by kind, subject_id, day
      )
      select format('The figures of the %s %s on %s differ from what they are counted from.', kind, subject_id, day) as fault
      from kept full join present using (kind, subject_id, day)
      where not (${same})`,
  },
  {
    check: "figures of referrers",
    faults: sql`
      with kept as (
        select kind, subject_id, sum(views) as views from analytics_days group by kind, subject_id having sum(views) <> 0
      ), by_day as (
        select kind, subject_id, sum(views) as views from analytics_referrer_days group by kind, subject_id
      )
      select format('The views of the %s %s are %s, by referrer and day %s.', kind, subject_id,
        coalesce(kept.views, 0), coalesce(by_day.views, 0)) as fault
      from kept full join by_day using (kind, subject_id)
      where coalesce(kept.views, 0) <> coalesce(by_day.views, 0)
      union all
      select format('The article %s counts %s views, but has %s.', article_id, coalesce(counted.views, 0), coalesce(summed.views, 0))
      from article_views as counted full join (
        select subject_id as article_id, views from by_day where kind = 'article'
      ) as summed using (article_id)
      where coalesce(counted.views, 0) <> coalesce(summed.views, 0)`,
  },
  {
    check: "owners of analytics",
    faults: sql`
      select format('The figures of the article %s are summed up for others than those who own it.', article_id) as fault
      from analytics_owners as summed full join published_articles as listed using (article_id)
      where (summed.author_id is distinct from listed.author_id
          or summed.organization_id is distinct from listed.organization_id)
        and not exists (select from analytics_moves as noted where noted.article_id = coalesce(summed.article_id, listed.article_id))`,
  },
];
