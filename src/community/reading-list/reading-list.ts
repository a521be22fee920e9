import { type Actor, userOf } from "../../http/actor.ts";
import { notFound } from "../../platform/errors.ts";
import * as articles from "../articles/counts.ts";
import * as reactions from "../reactions/reactions.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

const reactionOf = (articleId: number): reactions.Reaction => ({
  target: { articleId },
  category: "readinglist",
});

/**
 * Adds an article, or restores it from the archive. Returns whether that was a change.
 * @throws AppError unauthorized, not_found, rate_limited
 */
export function save(actor: Actor<boolean>, articleId: number): Promise<boolean> {
  return actor.run(async (tx) => {
    if (await reactions.react({ ...actor, run: (write) => write(tx) }, reactionOf(articleId))) return true;
    return queries.setArchived(tx, { userId: userOf(actor).id, articleId, archived: false });
  });
}

/** Removes an article, public or not. Returns whether it was there. @throws AppError unauthorized, not_found */
export function unsave(actor: Actor<boolean>, articleId: number): Promise<boolean> {
  return actor.run(async (tx) => {
    if (await reactions.unreact({ ...actor, run: (write) => write(tx) }, reactionOf(articleId))) return true;
    if (!(await articles.isShown(tx, articleId))) throw notFound();
    return false;
  });
}

/** Reactions still count. Returns whether it was listed. @throws AppError unauthorized */
export function archive(actor: Actor<boolean>, articleId: number): Promise<boolean> {
  return actor.run(async (tx) => {
    const { id: userId } = userOf(actor);
    await users.requireActive(tx, userId);
    return queries.setArchived(tx, { userId, articleId, archived: true });
  });
}

export { list } from "./queries.ts";
