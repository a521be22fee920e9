import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { lockShared } from "../db/locks.ts";
import { rowsOf } from "../db/rows.ts";
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

export async function addComment(tx: Db, id: number, at: Date): Promise<void> {
  await tx
    .updateTable("articles")
    .set({
      comments_count: sql`comments_count + 1`,
      last_comment_at: sql`greatest(last_comment_at, ${at})`,
    })
    .where("id", "=", id)
    .execute();
}

export async function takeComment(tx: Db, id: number, lastAt: Date | null): Promise<void> {
  await tx
    .updateTable("articles")
    .set({ comments_count: sql`comments_count - 1`, last_comment_at: lastAt })
    .where("id", "=", id)
    .execute();
}

/** Without deleted comments. */
export interface CommentCount {
  article_id: number;
  comments: number;
  last_at: Date | null;
}

export async function setComments(tx: Db, counts: readonly CommentCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    update articles set comments_count = counted.comments, last_comment_at = counted.last_at
    from unnest(${counts.map((one) => one.article_id)}::int[], ${counts.map((one) => one.comments)}::int[],
      ${counts.map((one) => one.last_at)}::timestamptz[]) as counted (id, comments, last_at)
    where articles.id = counted.id
      and (comments_count, last_comment_at) is distinct from (counted.comments, counted.last_at)`.execute(tx);
}

/** Locks the article against removal; undefined when there is none. */
export async function isShown(tx: Db, id: number): Promise<boolean | undefined> {
  const row = await tx
    .selectFrom("articles")
    .select("state")
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst();
  return row && row.state === "published";
}

/** Updates the article, and lists, tags and search if it is published. A search row moves only to another tier. */
export async function countReactions(tx: Db, changes: ReadonlyMap<number, number>, now: Date): Promise<void> {
  const changed = [...changes].filter(([, delta]) => delta !== 0);
  if (changed.length === 0) return;
  const ids = changed.map(([id]) => id);
  const deltas = changed.map(([, delta]) => delta);
  await lockShared(tx, "searchTiers");
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
    ), tagged as (
      update article_tags set reactions = listed.reactions, hotness = listed.hotness
      from listed where article_tags.article_id = listed.article_id
    )
    update article_search as found
    set reactions = listed.reactions,
      tier = search_tier_of(listed.reactions, listed.published_at, listed.article_id)
    from listed where found.article_id = listed.article_id`.execute(tx);
}
