import { sql } from "kysely";
import { purgeRows } from "../../platform/db/batches.ts";
import type { Db } from "../../platform/db/connect.ts";
import { rollUp } from "../../platform/db/roll-up.ts";
import { each } from "./queries.ts";

/**
 * Adds the changes to the figures of articles and their owners. The batch is small, because a change of owner concerns all
 * days of an article.
 */
export function addUpChanges(db: Db, signal?: AbortSignal): Promise<number> {
  return rollUp(db, { table: "analytics_changes", lock: "analyticsRollUp", batch: 500, step: ADDED }, signal);
}

/**
 * An article's figures change for it and its owners: those who own it now, but for changes of owners that are not taken
 * yet. Who becomes an owner, or is one no more, is given the article's figures, or loses them, as they were before.
 */
const ADDED = sql`
  changes as (
    select article_id, day, referrer, ${each((figure) => `sum(${figure}) as ${figure}`)}
    from taken where day is not null group by article_id, day, referrer
  ), owned as (
    select subject.kind, subject.id, 1 as sign, change.*
    from changes as change left join articles on articles.id = change.article_id and state = 'published'
    cross join lateral (
      values ('article', change.article_id), ('user', author_id), ('organization', organization_id)
    ) as subject (kind, id)
    where subject.id is not null
    union all
    select waiting.owner_kind, waiting.owner_id, -waiting.sign, change.*
    from changes as change join analytics_changes as waiting using (article_id)
    where waiting.owner_id is not null and waiting.id not in (select id from taken)
  ), parts as (
    select kind, id, day, referrer, ${each((figure) => `sum(sign * ${figure}) as ${figure}`)}
    from owned group by grouping sets ((kind, id), (kind, id, day), (kind, id, day, referrer))
    having grouping(referrer) = 1 or referrer is not null
    union all
    select owner_kind, owner_id, part.day, part.referrer, ${each((figure) => `sign * part.${figure}`)}
    from taken join analytics_days as part on part.kind = 'article' and part.subject_id = taken.article_id
    where owner_id is not null
  ), added as (
    insert into analytics_days as present (kind, subject_id, day, referrer, ${each(String)})
    select kind, id, day, referrer, ${each((figure) => `sum(${figure})`)} from parts group by kind, id, day, referrer
    on conflict (kind, subject_id, num_nonnulls(day, referrer), day, referrer) do update set
      ${each((figure) => `${figure} = coalesce(present.${figure} + excluded.${figure}, present.${figure}, excluded.${figure})`)}
  )`;

/** Removes figures that have come to nothing, such as those of removed articles. */
export async function purge(db: Db): Promise<void> {
  await purgeRows(
    db,
    "analytics_days",
    each((figure) => `coalesce(${figure}, 0) = 0`, " and "),
  );
}
