import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import { hotness } from "./read-model.ts";

export const { lockAll } = rowsOf("articles");

/** Comments under one article are written in turn. */
export function lockForComment(tx: Db, id: number) {
  return tx
    .selectFrom("articles")
    .select(["author_id", "state"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function countComments(tx: Db, ids: readonly number[]): Promise<void> {
  await sql`
    update articles set comments_count = counted.comments, last_comment_at = counted.last_at
    from unnest(${ids}::int[]) as given (id)
    cross join lateral (
      select count(*)::int as comments, max(created_at) as last_at
      from comments where article_id = given.id and not deleted
    ) as counted
    where articles.id = given.id
      and (comments_count, last_comment_at) is distinct from (counted.comments, counted.last_at)`.execute(tx);
}

/** Locks the article against removal; undefined when there is none. */
export async function isShown(tx: Db, id: number): Promise<boolean | undefined> {
  const { rows } = await sql<{ shown: boolean }>`
    select state = 'published' as shown from articles where id = ${id} for key share`.execute(tx);
  return rows[0]?.shown;
}

export async function countReactions(tx: Db, changes: ReadonlyMap<number, number>, now: Date): Promise<void> {
  const changed = [...changes].filter(([, delta]) => delta !== 0);
  if (changed.length === 0) return;
  const ids = changed.map(([id]) => id);
  const deltas = changed.map(([, delta]) => delta);
  await sql`
    with counted as (
      update articles set reactions_count = reactions_count + change.delta
      from unnest(${ids}::int[], ${deltas}::int[]) as change (id, delta)
      where articles.id = change.id
      returning articles.id, public_reactions_count as reactions, score
    ), listed as (
      update published_articles as present
      set reactions = counted.reactions, score = counted.score,
        hotness = ${hotness(sql.ref("counted.score"), sql.ref("present.fresh_from"), now)}
      from counted where present.article_id = counted.id
      returning present.article_id, present.published_at, present.reactions, present.hotness
    )
    update article_tags set reactions = listed.reactions, hotness = listed.hotness
    from listed where article_tags.article_id = listed.article_id`.execute(tx);
}
