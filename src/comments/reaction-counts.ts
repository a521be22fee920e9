import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";

/** Whether readers see a comment, which stays in the database until the transaction ends; undefined when there is none. */
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

/** Keeps these comments from other changes until the transaction ends, for whoever will count their reactions. */
export async function hold(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .selectFrom("comments")
    .select("id")
    .where("id", "=", anyInt(ids))
    // So that two who want the same ones don't wait for each other.
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
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
