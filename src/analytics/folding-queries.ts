import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";
import { listed } from "./figures.ts";
import { addDays, addReferrers } from "./adding-queries.ts";

/** Bigints as texts. */
type Numbers = readonly string[];

const anyNumber = (values: Numbers): RawBuilder<string> => sql`any(${values}::bigint[])`;

export interface Place {
  move: string;
  change: string;
}

/** 0 for none. */
export async function lastNotes(db: Db): Promise<Place> {
  const { rows } = await sql<Place>`
    select coalesce((select max(id) from analytics_moves), 0)::text as move,
      coalesce((select max(id) from analytics_changes), 0)::text as change`.execute(db);
  return rows[0] as Place;
}

/** Ids, without the first and with the last. */
export interface Span {
  after: string;
  last: string;
}

const MOVED_ROWS = 20_000;

/** The first of these moves: at most `limit`, fewer if their articles have many rows. */
export async function findMoves(
  tx: Db,
  { after, last }: Span,
  limit: number,
): Promise<{ id: string; article_id: number }[]> {
  const { rows } = await sql<{ id: string; article_id: number }>`
    select id, article_id from (
      select id, article_id, sum(size) over (order by id) - size as before from (
        select id, article_id from analytics_moves where id > ${after} and id <= ${last} order by id limit ${limit}
      ) as noted
      cross join lateral (
        select count(*) as size from (
          select from analytics_referrer_days
          where kind = 'article' and subject_id = article_id limit ${MOVED_ROWS}
        ) as few
      ) as sizes
    ) as sized
    where before < ${MOVED_ROWS} order by id`.execute(tx);
  return rows;
}

export async function removeMoves(tx: Db, moves: Numbers): Promise<void> {
  if (moves.length === 0) return;
  await tx.deleteFrom("analytics_moves").where("id", "=", anyNumber(moves)).execute();
}

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

export interface Transfer {
  article_id: number;
  kind: "user" | "organization";
  id: number | null;
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
      where transfer.id is not null
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
      where transfer.id is not null
      group by transfer.kind, transfer.id, day, referrer`,
  );
}

export async function findChanges(tx: Db, { after, last }: Span, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom("analytics_changes")
    .select("id")
    .where("id", ">", after)
    .where("id", "<=", last)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Changes with the subjects whose sums they enter: the article and its owners, or the followed owner. */
const concerned = (changes: Numbers): RawBuilder<unknown> => sql`
  analytics_changes as change
  left join analytics_owners as owner on change.kind = 'article' and owner.article_id = change.subject_id
  cross join lateral (
    values (change.kind, change.subject_id), ('user', owner.author_id), ('organization', owner.organization_id)
  ) as subject (kind, id)
  where change.id = ${anyNumber(changes)} and subject.id is not null`;

export async function foldDays(tx: Db, changes: Numbers): Promise<void> {
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
  await tx.deleteFrom("analytics_changes").where("id", "=", anyNumber(changes)).execute();
}
