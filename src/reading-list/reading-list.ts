import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as reactions from "../reactions/reactions.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

/** An article on somebody's reading list. */
export interface Mark {
  userId: number;
  articleId: number;
}

/**
 * Puts an article on somebody's reading list, or back on it from the archive, and tells whether it
 * wasn't there.
 * @throws AppError unauthorized, not_found, rate_limited
 */
export function save(db: Db, mark: Mark, rules: reactions.Rules): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (await reactions.react(tx, toReaction(mark), rules)) return true;
    return queries.setArchived(tx, { ...mark, archived: false });
  });
}

/**
 * Takes an article off somebody's reading list, and tells whether it was there or in the archive.
 * @throws AppError unauthorized
 */
export function unsave(db: Db, mark: Mark, now: Date): Promise<boolean> {
  return reactions.unreact(db, toReaction(mark), now);
}

/**
 * Keeps a mark, and its place in the counts, but lists it no more; tells whether it was listed.
 * @throws AppError unauthorized
 */
export function archive(db: Db, mark: Mark): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await users.requireActive(tx, mark.userId);
    return queries.setArchived(tx, { ...mark, archived: true });
  });
}

function toReaction({ userId, articleId }: Mark): reactions.Reaction {
  return { userId, target: { articleId }, category: "readinglist" };
}
