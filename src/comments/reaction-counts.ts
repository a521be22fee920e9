import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { rowsOf } from "../db/rows.ts";

/** Locks the comment against removal; undefined when there is none. */
export async function isShown(tx: Db, id: number): Promise<boolean | undefined> {
  const row = await tx
    .selectFrom("comments")
    .leftJoin("articles", "articles.id", "comments.article_id")
    .leftJoin("podcast_episodes", "podcast_episodes.id", "comments.episode_id")
    .leftJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .select(
      sql<boolean>`not deleted and not hidden
        and coalesce(articles.state = 'published', reachable and podcasts.published, false)`.as("is_shown"),
    )
    .where("comments.id", "=", id)
    .forKeyShare("comments")
    .executeTakeFirst();
  return row?.is_shown;
}

/** Locks comments until their reactions are counted. */
export const { lockAll } = rowsOf("comments");

export async function countReactions(tx: Db, changes: ReadonlyMap<number, number>): Promise<void> {
  const changed = [...changes].filter(([, delta]) => delta !== 0);
  if (changed.length === 0) return;
  const ids = changed.map(([id]) => id);
  const deltas = changed.map(([, delta]) => delta);
  await sql`
    update comments set reactions_count = reactions_count + change.delta
    from unnest(${ids}::int[], ${deltas}::int[]) as change (id, delta)
    where comments.id = change.id`.execute(tx);
}
