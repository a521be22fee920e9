import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";

/**
 * Keeps these comments until the transaction ends, for whoever will count their reactions, and tells
 * of each by number whether readers see it.
 */
export async function hold(tx: Db, ids: readonly number[]): Promise<Map<number, boolean>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom("comments")
    .leftJoin("articles", "articles.id", "comments.article_id")
    .leftJoin("podcast_episodes", "podcast_episodes.id", "comments.episode_id")
    .leftJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .select("comments.id")
    .select(
      sql<boolean>`not deleted and not hidden
        and coalesce(articles.state = 'published', reachable and podcasts.published, false)`.as("is_shown"),
    )
    .where("comments.id", "=", anyInt(ids))
    .orderBy("comments.id")
    .forNoKeyUpdate("comments")
    .execute();
  return new Map(rows.map(({ id, is_shown }) => [id, is_shown]));
}

/** Adds to the number of reactions of comments that this transaction holds. */
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
