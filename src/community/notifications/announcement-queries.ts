import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { anyInt } from "../../platform/db/values.ts";

// PostgreSQL before 17 can't subtract from an infinite time.
export const NEXT_DUE = sql<Date | null>`(select min(due_at) from announcements where due_at < 'infinity')`;

export interface AnnouncementRow {
  article_id: number;
  told_up_to: number;
}

type Ids = { ids: readonly number[] };

const insertNew = prepare<Ids, object>(
  (value) => sql`
    insert into announcements (article_id) select unnest(${value("ids")}::int[]) on conflict do nothing`,
);

/** An unpublished article is announced when it is published. */
export async function begin(tx: Db, articleIds: readonly number[]): Promise<void> {
  if (articleIds.length > 0) await insertNew(tx, { ids: articleIds });
}

export const resume = prepare<Ids, object>(
  (value) => sql`
    update announcements set due_at = now()
    where article_id = any(${value("ids")}::int[]) and due_at = 'infinity'`,
);

export const lockDue = prepare<{ limit: number }, AnnouncementRow>(
  (value) => sql`
    select article_id, told_up_to from announcements where due_at <= now()
    order by due_at, article_id limit ${value("limit")} for update skip locked`,
);

const deleteAll = prepare<Ids, object>(
  (value) => sql`delete from announcements where article_id = any(${value("ids")}::int[])`,
);

export async function end(tx: Db, articleIds: readonly number[]): Promise<void> {
  if (articleIds.length > 0) await deleteAll(tx, { ids: articleIds });
}

/** Stores the last follower who is notified of each article. */
export async function advance(tx: Db, lasts: ReadonlyMap<number, number>): Promise<void> {
  if (lasts.size === 0) return;
  await sql`
    update announcements set told_up_to = part.last, due_at = now()
    from unnest(${[...lasts.keys()]}::int[], ${[...lasts.values()]}::int[]) as part (article_id, last)
    where announcements.article_id = part.article_id`.execute(tx);
}

export async function postpone(db: Db, articleId: number, seconds: number): Promise<void> {
  await sql`
    update announcements set due_at = now() + make_interval(secs => ${seconds})
    where article_id = ${articleId}`.execute(db);
}

/** Stops announcements until their articles are published again. */
export async function park(tx: Db, articleIds: readonly number[]): Promise<void> {
  if (articleIds.length === 0) return;
  await sql`update announcements set due_at = 'infinity' where article_id = ${anyInt(articleIds)}`.execute(
    tx,
  );
}
