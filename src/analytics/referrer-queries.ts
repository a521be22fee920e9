import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { partsOf } from "./periods.ts";
import { of, owns, type Range, type Scope, subjectOf, within, withMoved } from "./scope.ts";

export interface ReferrerRow {
  referrer: string;
  views: number;
}

/** Where most views came from in all. */
export async function top(db: Db, scope: Scope, limit: number): Promise<ReferrerRow[]> {
  const subject = subjectOf(scope);
  // Whatever isn't noted among the changes stands in the order of the index, so that many are enough.
  const { rows } = await sql<ReferrerRow>`
    ${withMoved(scope)}, changed as (
      select referrer, sum(views) as views from (${changes(scope, undefined)}) as changes
      group by referrer having sum(views) <> 0
    ), top as (
      select referrer from analytics_referrers where ${of(subject)}
      order by views desc, referrer limit ${limit} + (select count(*) from changed)
    )
    select referrer, (coalesce(kept.views, 0) + coalesce(changed.views, 0))::float8 as views
    from (select referrer from top union select referrer from changed) as candidates
    left join changed using (referrer)
    left join lateral (
      select views from analytics_referrers
      where ${of(subject)} and analytics_referrers.referrer = candidates.referrer
    ) as kept on true
    where coalesce(kept.views, 0) + coalesce(changed.views, 0) > 0
    order by 2 desc, referrer limit ${limit}`.execute(db);
  return rows;
}

/** The same of a range of days. */
export async function topWithin(
  db: Db,
  scope: Scope,
  { range, limit }: { range: Range; limit: number },
): Promise<ReferrerRow[]> {
  const kept = sums(range).map(
    ({ table, sign, condition }) => sql`
      select referrer, ${sign} * views as views from ${table} where ${of(subjectOf(scope))} and ${condition}`,
  );
  const { rows } = await sql<ReferrerRow>`
    ${withMoved(scope)}
    select referrer, sum(views)::float8 as views
    from (${sql.join([...kept, changes(scope, range)], UNION)}) as parts
    group by referrer having sum(views) > 0
    order by 2 desc, referrer limit ${limit}`.execute(db);
  return rows;
}

const UNION = sql` union all `;

/** Sums that make up a range, or all time. */
interface Sums {
  table: RawBuilder<unknown>;
  sign: RawBuilder<unknown>;
  condition: RawBuilder<boolean>;
}

function sums(range: Range | undefined): Sums[] {
  if (range === undefined)
    return [{ table: sql.table("analytics_referrers"), sign: sql.lit(1), condition: sql`true` }];
  return partsOf(range).map(({ unit, sign, start, end }) => ({
    table: sql.table(`analytics_referrer_${unit}s`),
    sign: sql.lit(sign),
    condition: sql`${sql.ref(unit)} between ${start}::date and ${end}::date`,
  }));
}

/** What the sums don't have yet. */
function changes(scope: Scope, range: Range | undefined): RawBuilder<unknown> {
  const { owner, articleId } = scope;
  if (articleId !== undefined) {
    return sql`
      select referrer, views from analytics_changes
      where ${of(subjectOf(scope))} and referrer is not null and ${within(range)}`;
  }
  const moved = sums(range).map(
    ({ table, sign, condition }) => sql`
      select referrer, moved.sign * ${sign} * views as views from moved
      join ${table} on kind = 'article' and subject_id = moved.article_id and ${condition}`,
  );
  const changed = sql`
    select referrer, views from analytics_changes
    join published_articles as listed on listed.article_id = subject_id
    where kind = 'article' and referrer is not null and ${owns(owner, "listed")} and ${within(range)}`;
  return sql.join([...moved, changed], UNION);
}
