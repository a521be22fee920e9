import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";
import { type Sums, TABLES } from "./figures.ts";

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

export async function takeMoves(
  tx: Db,
  { after, last }: Span,
  limit: number,
): Promise<{ id: string; article_id: number }[]> {
  const { rows } = await sql<{ id: string; article_id: number }>`
    with taken as (
      delete from analytics_moves where id in (
        select id from analytics_moves where id > ${after} and id <= ${last} order by id limit ${limit}
      ) returning id, article_id
    )
    select id, article_id from taken order by id`.execute(tx);
  return rows;
}

export interface Moved {
  article_id: number;
  old_author: number | null;
  old_organization: number | null;
  new_author: number | null;
  new_organization: number | null;
}

export async function findMoved(tx: Db, articleIds: number[]): Promise<Moved[]> {
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

const recordset = (moved: Moved[]) => sql`
  jsonb_to_recordset(${JSON.stringify(moved)}::jsonb)
    as moved (article_id int, old_author int, old_organization int, new_author int, new_organization int)`;

export async function setOwners(tx: Db, moved: Moved[]): Promise<void> {
  const ids = moved.map(({ article_id }) => article_id);
  await tx.deleteFrom("analytics_owners").where("article_id", "=", anyInt(ids)).execute();
  await sql`
    insert into analytics_owners (article_id, author_id, organization_id)
    select article_id, new_author, new_organization from ${recordset(moved)}
    where new_author is not null`.execute(tx);
}

export async function addMoved(tx: Db, moved: Moved[]): Promise<void> {
  for (const sums of TABLES) {
    await add(
      tx,
      sums,
      sql`
        ${recordset(moved)}
        join ${sql.table(sums.table)} as part on part.kind = 'article' and part.subject_id = moved.article_id
        cross join lateral (
          values ('user', old_author, -1), ('user', new_author, 1),
            ('organization', old_organization, -1), ('organization', new_organization, 1)
        ) as subject (kind, id, sign)`,
    );
  }
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

/** Adds changes to the sums of their subjects: the article and its owners, or the followed owner. */
export async function addChanges(tx: Db, changes: Numbers): Promise<void> {
  for (const sums of TABLES) {
    await add(
      tx,
      sums,
      sql`
        (select * from analytics_changes where id = ${anyNumber(changes)}) as part
        left join analytics_owners as owner on part.kind = 'article' and owner.article_id = part.subject_id
        cross join lateral (
          values (part.kind, part.subject_id, 1), ('user', owner.author_id, 1), ('organization', owner.organization_id, 1)
        ) as subject (kind, id, sign)`,
    );
  }
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

const each = (names: readonly string[], separator: string, write: (name: string) => string) =>
  sql.raw(names.map(write).join(separator));

/** Adds the figures of each `part` to those of its `subject`, and removes rows that come to nothing. */
async function add(tx: Db, { table, keys, figures }: Sums, parts: RawBuilder<unknown>): Promise<void> {
  const partKeys = each(keys, ", ", (key) => `part.${key}`);
  const changes = sql`
    select subject.kind, subject.id as subject_id, ${partKeys},
      ${each(figures, ", ", (figure) => `sum(subject.sign * part.${figure}) as ${figure}`)}
    from ${parts} where subject.id is not null and ${each(keys, " and ", (key) => `part.${key} is not null`)}
    group by subject.kind, subject.id, ${partKeys}`;
  const all = ["kind", "subject_id", ...keys];
  const columns = sql.raw([...all, ...figures].join(", "));
  const isEmpty = each(figures, " and ", (figure) => `present.${figure} = 0`);
  const { rows: empty } = await sql`
    with changes as (${changes}), kept as (
      insert into ${sql.table(table)} as present (${columns})
      select ${columns} from changes where ${each(figures, " or ", (figure) => `${figure} <> 0`)}
      on conflict (${sql.raw(all.join(", "))}) do update
        set ${each(figures, ", ", (figure) => `${figure} = present.${figure} + excluded.${figure}`)}
      returning ${isEmpty} as is_empty
    )
    select from kept where is_empty limit 1`.execute(tx);
  if (empty.length === 0) return;
  await sql`
    delete from ${sql.table(table)} as present using (${changes}) as change
    where ${each(all, " and ", (key) => `present.${key} = change.${key}`)} and ${isEmpty}`.execute(tx);
}

export async function removeChanges(tx: Db, changes: Numbers): Promise<void> {
  await tx.deleteFrom("analytics_changes").where("id", "=", anyNumber(changes)).execute();
}
