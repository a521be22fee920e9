import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Reassignment } from "../../platform/db/reassign.ts";
import { isAny, type Slice } from "../../platform/db/values.ts";
import { invalid } from "../../platform/errors.ts";

/** Finds series by their owners and names, creates new ones, and locks all. */
export function open(tx: Db, wanted: readonly { user_id: number; slug: string }[]) {
  return (
    tx
      .insertInto("collections")
      .values([...wanted])
      // An update, which changes nothing, also locks and gives the present rows.
      .onConflict((conflict) =>
        conflict.columns(["user_id", "slug"]).doUpdateSet({ slug: (eb) => eb.ref("excluded.slug") }),
      )
      .returningAll()
      .execute()
  );
}

export async function checkOwned(tx: Db, userId: number, id: number): Promise<void> {
  const query = tx.selectFrom("collections").where("id", "=", id).where("user_id", "=", userId);
  if (Number.isNaN(id) || !(await isAny(query.forKeyShare()))) {
    throw invalid("Collection must be one you have permission to post to");
  }
}

export async function removeEmpty(tx: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  // The lock waits for a writer who adds an article, which the next statement then sees.
  await sql`select from collections where id = any(${ids}) order by id for update`.execute(tx);
  await sql`
    delete from collections where id = any(${ids})
      and not exists (select from articles where collection_id = collections.id)`.execute(tx);
}

/** Gives one person's series to another. Returns the other's series of the same names by the ids of these. */
export async function reassign(tx: Db, { from, to }: Reassignment): Promise<Map<number, number>> {
  const { rows } = await sql<{ gone: number; kept: number }>`
    select gone.id as gone, kept.id as kept
    from collections as gone join collections as kept on kept.slug = gone.slug and kept.user_id = ${to}
    where gone.user_id = ${from} order by gone.id for update`.execute(tx);
  await sql`
    update collections set user_id = ${to}
    where user_id = ${from} and not id = any(${rows.map(({ gone }) => gone)}::int[])`.execute(tx);
  return new Map(rows.map(({ gone, kept }) => [gone, kept]));
}

export interface Series {
  id: number;
  name: string;
  user: { username: string; name: string };
  count: number;
}

export async function findSeries(
  db: Db,
  { username, name }: { username: string; name: string },
): Promise<Series | undefined> {
  const { rows } = await sql<Series>`
    select collections.id, slug as name, json_build_object('username', username, 'name', users.name) as user, (
      select count(*)::int from published_articles where collection_id = collections.id
    ) as count
    from collections join users on users.id = user_id
    where username = ${username} and slug = ${name}`.execute(db);
  return rows[0];
}

export async function nameOf(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom("collections").select("slug").where("id", "=", id).executeTakeFirst();
  return row?.slug ?? null;
}

export async function seriesOf(
  db: Db,
  userId: number,
  { limit, offset }: Slice,
): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select slug as name, count(*)::int as count
    from collections join published_articles on collection_id = collections.id
    where user_id = ${userId}
    group by slug order by max(published_at) desc, slug limit ${limit} offset ${offset}`.execute(db);
  return rows;
}
