import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";
import { anyOf, FIGURES, listed } from "./figures.ts";

/** Bigints, so texts. */
type Numbers = readonly string[];

const anyNumber = (values: Numbers): RawBuilder<string> => sql`any(${values}::bigint[])`;

export async function hasNotes(db: Db): Promise<boolean> {
  const { rows } = await sql`
    (select from analytics_moves order by id limit 1)
    union all (select from analytics_changes order by id limit 1)`.execute(db);
  return rows.length > 0;
}

/** Articles that may have changed owners, behind a note. */
export function findMoves(tx: Db, after: string, limit: number) {
  return tx
    .selectFrom("analytics_moves")
    .select(["id", "article_id"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function removeMoves(tx: Db, moves: Numbers): Promise<void> {
  if (moves.length === 0) return;
  await tx.deleteFrom("analytics_moves").where("id", "=", anyNumber(moves)).execute();
}

/** An article whose figures are summed for others than those who own it. */
export interface Moved {
  article_id: number;
  old_author: number | null;
  old_organization: number | null;
  new_author: number | null;
  new_organization: number | null;
}

export async function findMoved(tx: Db, articleIds: number[]): Promise<Moved[]> {
  if (articleIds.length === 0) return [];
  const { rows } = await sql<Moved>`
    select noted.article_id, owner.author_id as old_author, owner.organization_id as old_organization,
      listed.author_id as new_author, listed.organization_id as new_organization
    from unnest(${[...new Set(articleIds)]}::int[]) as noted (article_id)
    left join analytics_owners as owner on owner.article_id = noted.article_id
    left join published_articles as listed on listed.article_id = noted.article_id
    where owner.author_id is distinct from listed.author_id
      or owner.organization_id is distinct from listed.organization_id`.execute(tx);
  return rows;
}

export async function setOwners(tx: Db, moved: Moved[]): Promise<void> {
  const ids = moved.map(({ article_id }) => article_id);
  await tx.deleteFrom("analytics_owners").where("article_id", "=", anyInt(ids)).execute();
  await sql`
    insert into analytics_owners (article_id, author_id, organization_id)
    select article_id, new_author, new_organization
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb)
      as moved (article_id int, new_author int, new_organization int)
    where new_author is not null`.execute(tx);
}

/** The figures of an article are added to, or taken from, somebody's. */
export interface Transfer {
  article_id: number;
  kind: "user" | "organization";
  id: number;
  sign: 1 | -1;
}

const transferred = (transfers: Transfer[]): RawBuilder<unknown> => sql`
  jsonb_to_recordset(${JSON.stringify(transfers)}::jsonb)
    as transfer (article_id int, kind text, id int, sign int)`;

export async function moveDays(tx: Db, transfers: Transfer[]): Promise<void> {
  await addDays(
    tx,
    sql`
      select transfer.kind, transfer.id as subject_id, day,
        ${listed((name) => sql`sum(transfer.sign * ${sql.ref(name)}) as ${sql.ref(name)}`)}
      from ${transferred(transfers)}
      join analytics_days as kept on kept.kind = 'article' and kept.subject_id = transfer.article_id
      group by transfer.kind, transfer.id, day`,
  );
}

export async function moveReferrers(tx: Db, transfers: Transfer[]): Promise<void> {
  await addReferrers(
    tx,
    sql`
      select transfer.kind, transfer.id as subject_id, day, referrer, sum(transfer.sign * views) as views
      from ${transferred(transfers)}
      join analytics_referrer_days as kept on kept.kind = 'article' and kept.subject_id = transfer.article_id
      group by transfer.kind, transfer.id, day, referrer`,
  );
}

export async function findChanges(tx: Db, after: string, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom("analytics_changes")
    .select("id")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Changes with everybody whom they concern: what they are of, and who owns the article. */
const concerned = (changes: Numbers): RawBuilder<unknown> => sql`
  analytics_changes as change
  left join analytics_owners as owner on change.kind = 'article' and owner.article_id = change.subject_id
  cross join lateral (
    values (change.kind, change.subject_id), ('user', owner.author_id), ('organization', owner.organization_id)
  ) as subject (kind, id)
  where change.id = ${anyNumber(changes)} and subject.id is not null`;

export async function foldDays(tx: Db, changes: Numbers): Promise<void> {
  if (changes.length === 0) return;
  await addDays(
    tx,
    sql`
      select subject.kind, subject.id as subject_id, day,
        ${listed((name) => sql`sum(change.${sql.ref(name)}) as ${sql.ref(name)}`)}
      from ${concerned(changes)}
      group by subject.kind, subject.id, day`,
  );
}

export async function foldReferrers(tx: Db, changes: Numbers): Promise<void> {
  if (changes.length === 0) return;
  await addReferrers(
    tx,
    sql`
      select subject.kind, subject.id as subject_id, day, referrer, sum(views) as views
      from ${concerned(changes)} and referrer is not null
      group by subject.kind, subject.id, day, referrer`,
  );
  await sql`
    insert into article_views as kept (article_id, views)
    select subject_id, sum(views) from analytics_changes
    where id = ${anyNumber(changes)} and kind = 'article'
    group by subject_id having sum(views) <> 0
    on conflict (article_id) do update set views = kept.views + excluded.views`.execute(tx);
  await sql`
    delete from article_views where views = 0 and article_id in (
      select subject_id from analytics_changes where id = ${anyNumber(changes)} and kind = 'article'
    )`.execute(tx);
}

export async function removeChanges(tx: Db, changes: Numbers): Promise<void> {
  if (changes.length === 0) return;
  await tx.deleteFrom("analytics_changes").where("id", "=", anyNumber(changes)).execute();
}

/** Adds to the figures of days. Rows are looked up one by one; those that come to nothing go. */
async function addDays(tx: Db, changes: RawBuilder<unknown>): Promise<void> {
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
async function addReferrers(tx: Db, changes: RawBuilder<unknown>): Promise<void> {
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
