import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/**
 * An article for whoever will count its comments, held until the transaction ends: those who write
 * comments under one article do so one after another.
 */
export function holdForComment(tx: Db, id: number) {
  return tx
    .selectFrom("articles")
    .select(["author_id", "state"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Counts a new comment under an article that this transaction holds. */
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

/** Counts a comment less, and says when the last of the others was written. */
export async function takeComment(tx: Db, id: number, lastAt: Date | null): Promise<void> {
  await tx
    .updateTable("articles")
    .set({ comments_count: sql`comments_count - 1`, last_comment_at: lastAt })
    .where("id", "=", id)
    .execute();
}

/** What is known of an article's comments, without those that are deleted. */
export interface CommentCount {
  article_id: number;
  comments: number;
  last_at: Date | null;
}

/** Writes down the numbers and dates of comments, of articles that this transaction holds. */
export async function setComments(tx: Db, counts: readonly CommentCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    update articles set comments_count = counted.comments, last_comment_at = counted.last_at
    from unnest(${counts.map((one) => one.article_id)}::int[], ${counts.map((one) => one.comments)}::int[],
      ${counts.map((one) => one.last_at)}::timestamptz[]) as counted (id, comments, last_at)
    where articles.id = counted.id
      and (comments_count, last_comment_at) is distinct from (counted.comments, counted.last_at)`.execute(tx);
}
