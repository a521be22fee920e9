import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import type { Comments } from "../../platform/db/tables.ts";
import { anyInt } from "../../platform/db/values.ts";

export type CommentRow = Selectable<Comments>;

export const { find, lock, insert, update } = rowsOf("comments");

/** Locks the episode. */
export async function lockEpisode(tx: Db, id: number) {
  const row = await tx
    .selectFrom("podcast_episodes")
    .innerJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .select(["podcasts.owner_id", "podcasts.published", "podcast_episodes.reachable"])
    .where("podcast_episodes.id", "=", id)
    .forNoKeyUpdate("podcast_episodes")
    .executeTakeFirst();
  return row && { ownerId: row.owner_id, isPublic: row.published && row.reachable };
}

export async function articlesCommentedBy(db: Db, authorIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ article_id: number }>`
    select distinct article_id from comments
    where author_id = ${anyInt(authorIds)} and article_id is not null`.execute(db);
  return rows.map(({ article_id }) => article_id);
}

export function deleteByAuthor(tx: Db, authorId: number) {
  return tx
    .updateTable("comments")
    .set({ deleted: true })
    .where("author_id", "=", authorId)
    .where("deleted", "=", false)
    .returning(["id", "article_id", "episode_id"])
    .execute();
}

export async function emptyByAuthor(tx: Db, authorId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update comments set body_markdown = '', body_html = '', author_id = null, hidden_reason = null
    where author_id = ${authorId}`.execute(tx);
  return Number(numAffectedRows);
}

export async function deleteByAuthors(tx: Db, authorIds: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from comments where author_id = ${anyInt(authorIds)}`.execute(tx);
  return Number(numAffectedRows);
}
