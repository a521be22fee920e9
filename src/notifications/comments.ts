import type { Db } from "../db/connect.ts";
import { mentionsIn } from "../text/mentions.ts";
import * as users from "../users/users.ts";
import * as queries from "./comment-queries.ts";

interface Task {
  commentId: number;
  /** Whether the comment is new: later only those are told whom it names. */
  announces: boolean;
  now: Date;
}

/**
 * Tells the author of the article or the owner of the podcast, whoever is answered and whoever is named
 * of a comment: each once, and nobody of their own.
 */
export async function tellOfComment(tx: Db, { commentId, announces, now }: Task): Promise<void> {
  const comment = await queries.findComment(tx, commentId);
  if (!comment || comment.author_id === null || comment.deleted || !comment.is_public) return;
  const mentioned = await users.idsByUsername(tx, mentionsIn(comment.body_html));
  const kinds = new Map<number | null, queries.Kind>();
  for (const id of mentioned.values()) kinds.set(id, "mention");
  if (announces) kinds.set(comment.owner_id, "comment").set(comment.answered_id, "reply");
  kinds.delete(comment.author_id);
  const told = [...kinds].flatMap(([userId, kind]) => (userId === null ? [] : [{ userId, kind }]));
  await queries.insertAll(tx, told, { commentId, actorId: comment.author_id, at: now });
}
