import * as articles from "../articles/counts.ts";
import * as comments from "../comments/reaction-counts.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { notFound } from "../errors.ts";
import * as events from "../events/events.ts";
import * as actions from "../limits/actions.ts";
import * as users from "../users/users.ts";
import type { Category } from "./categories.ts";
import { changesBy, countAll, holdAll } from "./counts.ts";
import * as queries from "./queries.ts";

/** What somebody reacts to. */
export type Target = { articleId: number } | { commentId: number };

export interface Reaction {
  userId: number;
  target: Target;
  category: Category;
}

export interface Rules {
  now: Date;
  /** How many reactions a person may give in 30 seconds; undefined when that isn't limited. */
  limit: number | undefined;
}

const WINDOW_SECONDS = 30;

/**
 * Notes what somebody thinks of what they can read, and tells whether that is new. One's own articles
 * and comments are no exception.
 * @throws AppError unauthorized, not_found, rate_limited
 */
export function react(db: Db, reaction: Reaction, rules: Rules): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await users.requireActive(tx, reaction.userId);
    await requireShown(tx, reaction.target);
    return add(tx, reaction, rules);
  });
}

/**
 * Takes a reaction back, also from what isn't shown any more, and tells whether there was one.
 * @throws AppError unauthorized
 */
export function unreact(db: Db, reaction: Reaction, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await users.requireActive(tx, reaction.userId);
    return takeBack(tx, reaction, now);
  });
}

/**
 * Does the one or the other, and tells whether the reaction stands now.
 * @throws AppError unauthorized, not_found, rate_limited
 */
export function toggle(db: Db, reaction: Reaction, rules: Rules): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await users.requireActive(tx, reaction.userId);
    // Neither is done when the same person does it at this moment: then the other one can be.
    for (;;) {
      if (await takeBack(tx, reaction, rules.now)) return false;
      await requireShown(tx, reaction.target);
      if (await add(tx, reaction, rules)) return true;
    }
  });
}

/** @throws AppError not_found for what readers don't see */
async function requireShown(tx: Db, target: Target): Promise<void> {
  const isShown =
    "articleId" in target
      ? await articles.isShown(tx, target.articleId)
      : await comments.isShown(tx, target.commentId);
  if (!isShown) throw notFound();
}

async function add(tx: Db, reaction: Reaction, { now, limit }: Rules): Promise<boolean> {
  const { userId } = reaction;
  // People before what they react to: an import keeps whom it changes to its end, and holds articles there.
  await users.hold(tx, [userId]);
  const identity = identityOf(reaction);
  const id = await queries.insert(tx, { ...identity, created_at: now });
  if (id === undefined) return false;
  const changes = changesBy(1, [identity]);
  await holdAll(tx, changes);
  // What was there already isn't counted; what is refused here is taken back with the transaction.
  if (limit !== undefined) {
    await actions.spend(tx, { userId, action: "reaction", limit, windowSeconds: WINDOW_SECONDS, now });
  }
  await events.record(tx, "reaction_created", eventOf(id, reaction));
  await countAll(tx, changes, now);
  return true;
}

async function takeBack(tx: Db, reaction: Reaction, now: Date): Promise<boolean> {
  const identity = identityOf(reaction);
  const id = await queries.remove(tx, identity);
  if (id === undefined) return false;
  const changes = changesBy(-1, [identity]);
  await holdAll(tx, changes);
  await events.record(tx, "reaction_destroyed", eventOf(id, reaction));
  await countAll(tx, changes, now);
  return true;
}

function identityOf({ userId, target, category }: Reaction): queries.Identity {
  return {
    user_id: userId,
    article_id: "articleId" in target ? target.articleId : null,
    comment_id: "commentId" in target ? target.commentId : null,
    category,
  };
}

function eventOf(reactionId: number, { userId, target, category }: Reaction) {
  return {
    reaction_id: reactionId,
    user_id: userId,
    category,
    ...("articleId" in target ? { article_id: target.articleId } : { comment_id: target.commentId }),
  };
}

/** Takes back everything these people said, for those who remove them. */
export async function removeByUsers(tx: Db, userIds: readonly number[], now: Date): Promise<void> {
  const changes = changesBy(-1, await queries.removeOf(tx, userIds));
  await holdAll(tx, changes);
  await countAll(tx, changes, now);
}
