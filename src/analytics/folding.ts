import { sql } from "kysely";
import { inBatches, purgeRows } from "../db/batches.ts";
import type { Db } from "../db/connect.ts";
import { takeTurn } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { FIGURES } from "./queries.ts";

/** A batch takes about half a second: a stopping program waits for it. */
const CHANGES = 2_000;

/** Moved articles of a batch: each may concern thousands of rows. */
const MOVES = 20;

/** A transaction reads the rows that it has removed again, batch by batch. */
const ALL = 2_147_483_647;

/**
 * Adds the present changes to the sums, and returns the number of rows. One process at a time does so; another
 * returns at once, or waits within a transaction.
 */
export async function foldChanges(db: Db, signal?: AbortSignal): Promise<number> {
  const inTurn = (size: number, step: typeof sumUp) =>
    inBatches(db.isTransaction ? ALL : size, async (limit) => {
      if (signal?.aborted) return 0;
      return inTransaction(db, async (tx) =>
        (await takeTurn(tx, "analyticsFolding", db.isTransaction)) ? step(tx, limit) : 0,
      );
    });
  // Articles move first, which makes changes of their figures.
  return (await inTurn(MOVES, move)) + (await inTurn(CHANGES, sumUp));
}

const each = (separator: string, write: (figure: string) => string) =>
  sql.raw(FIGURES.map(write).join(separator));
const COLUMNS = each(", ", (figure) => figure);

/** Takes the figures of articles from their old owners and gives them to the new ones, as changes. */
async function move(tx: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with noted as (
      delete from analytics_moves where id in (select id from analytics_moves order by id limit ${limit})
      returning article_id
    ), moved as (
      select article_id, owner.author_id as old_author, owner.organization_id as old_organization,
        listed.author_id as new_author, listed.organization_id as new_organization
      from (select distinct article_id from noted) as articles
      left join analytics_owners as owner using (article_id)
      left join published_articles as listed using (article_id)
      where (owner.author_id, owner.organization_id) is distinct from (listed.author_id, listed.organization_id)
    ), disowned as (
      delete from analytics_owners where article_id in (select article_id from moved where new_author is null)
    ), owned as (
      insert into analytics_owners (article_id, author_id, organization_id)
      select article_id, new_author, new_organization from moved where new_author is not null
      on conflict (article_id)
        do update set author_id = excluded.author_id, organization_id = excluded.organization_id
    ), changed as (
      insert into analytics_changes (kind, subject_id, day, referrer, ${COLUMNS})
      select owner.kind, owner.id, day, referrer, ${each(", ", (figure) => `sign * ${figure}`)}
      from moved
      cross join lateral (
        select day, null as referrer, ${each(", ", (figure) => (figure === "views" ? "0 as views" : figure))}
        from analytics_days where kind = 'article' and subject_id = article_id
        union all
        select day, referrer, ${each(", ", (figure) => (figure === "views" ? figure : "0"))}
        from analytics_referrer_days where kind = 'article' and subject_id = article_id
      ) as sums
      cross join lateral (
        values ('user', nullif(old_author, new_author), -1), ('user', nullif(new_author, old_author), 1),
          ('organization', nullif(old_organization, new_organization), -1),
          ('organization', nullif(new_organization, old_organization), 1)
      ) as owner (kind, id, sign)
      where owner.id is not null
    )
    select count(*)::int as count from noted`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Adds changes to the sums of their subjects: the article and its owners, or the followed owner. */
async function sumUp(tx: Db, limit: number): Promise<number> {
  const sums = each(", ", (figure) => `sum(${figure})`);
  const added = each(", ", (figure) => `${figure} = present.${figure} + excluded.${figure}`);
  const { rows } = await sql<{ count: number }>`
    with taken as (
      delete from analytics_changes where id in (select id from analytics_changes order by id limit ${limit})
      returning *
    ), changes as (
      select subject.kind, subject.id as subject_id, day, referrer, ${COLUMNS}
      from taken
      left join analytics_owners as owner on taken.kind = 'article' and owner.article_id = taken.subject_id
      cross join lateral (
        values (taken.kind, taken.subject_id), ('user', owner.author_id), ('organization', owner.organization_id)
      ) as subject (kind, id)
      where subject.id is not null
    ), days as (
      insert into analytics_days as present (kind, subject_id, day, ${COLUMNS})
      select kind, subject_id, day, ${sums} from changes group by kind, subject_id, day
      on conflict (kind, subject_id, day) do update set ${added}
    ), referrers as (
      insert into analytics_referrer_days as present (kind, subject_id, day, referrer, views)
      select kind, subject_id, day, referrer, sum(views) from changes where referrer is not null
      group by kind, subject_id, day, referrer
      on conflict (kind, subject_id, day, referrer) do update set views = present.views + excluded.views
    ), totals as (
      insert into article_views as present (article_id, views)
      select subject_id, sum(views) from taken where kind = 'article' and views <> 0 group by subject_id
      on conflict (article_id) do update set views = present.views + excluded.views
    )
    select count(*)::int as count from taken`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Removes sums that have come to nothing, such as those of removed articles. */
export async function purge(db: Db): Promise<void> {
  await purgeRows(db, "analytics_days", sql`${each(" and ", (figure) => `${figure} = 0`)}`);
  await purgeRows(db, "analytics_referrer_days", sql`views = 0`);
  await purgeRows(db, "article_views", sql`views = 0`);
}
