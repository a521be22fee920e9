import * as articleCounts from "../articles/reaction-counts.ts";
import * as commentCounts from "../comments/reaction-counts.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { notFound, unauthorized } from "../errors.ts";
import * as events from "../events/events.ts";
import * as actions from "../limits/actions.ts";
import * as users from "../users/users.ts";
import type { Category } from "./categories.ts";
import { count, countAll, holdAll, noChanges, noteChange } from "./counts.ts";
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
  /** The setting `reaction_create_limit`; undefined when there are no limits. */
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
    await refuseInactive(tx, reaction.userId);
    // First of all: who counts something holds it before anything is written.
    if ((await hold(tx, reaction.target)) !== "shown") throw notFound();
    return add(tx, reaction, rules);
  });
}

/**
 * Takes a reaction back, also from what isn't shown any more, and tells whether there was one.
 * @throws AppError unauthorized
 */
export function unreact(db: Db, reaction: Reaction, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await refuseInactive(tx, reaction.userId);
    await hold(tx, reaction.target);
    return takeBack(tx, reaction, now);
  });
}

/**
 * Does the one or the other, and tells whether the reaction stands now.
 * @throws AppError unauthorized, not_found, rate_limited
 */
export function toggle(db: Db, reaction: Reaction, rules: Rules): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await refuseInactive(tx, reaction.userId);
    const standing = await hold(tx, reaction.target);
    if (await takeBack(tx, reaction, rules.now)) return false;
    if (standing !== "shown") throw notFound();
    return add(tx, reaction, rules);
  });
}

/** @throws AppError unauthorized for whoever is suspended or not there */
export async function refuseInactive(tx: Db, userId: number): Promise<void> {
  if (!(await queries.isActive(tx, userId))) throw unauthorized();
}

/** Keeps what is reacted to until the transaction ends: whoever else reacts to it waits. */
async function hold(tx: Db, target: Target): Promise<"none" | "hidden" | "shown"> {
  const isShown =
    "articleId" in target
      ? stateIsShown((await articleCounts.hold(tx, [target.articleId])).get(target.articleId))
      : (await commentCounts.hold(tx, [target.commentId])).get(target.commentId);
  if (isShown === undefined) return "none";
  return isShown ? "shown" : "hidden";
}

function stateIsShown(state: string | undefined): boolean | undefined {
  return state === undefined ? undefined : state === "published";
}

async function add(tx: Db, reaction: Reaction, { now, limit }: Rules): Promise<boolean> {
  const identity = identityOf(reaction);
  const id = await queries.insert(tx, { ...identity, created_at: now });
  if (id === undefined) return false;
  // What was there already isn't counted; what is refused here is taken back with the transaction.
  if (limit !== undefined) {
    const { userId } = reaction;
    await users.hold(tx, [userId]);
    await actions.spend(tx, { userId, action: "reaction", limit, windowSeconds: WINDOW_SECONDS, now });
  }
  await events.record(tx, "reaction_created", eventOf(id, reaction));
  await count(tx, identity, { by: 1, now });
  return true;
}

async function takeBack(tx: Db, reaction: Reaction, now: Date): Promise<boolean> {
  const identity = identityOf(reaction);
  const id = await queries.remove(tx, identity);
  if (id === undefined) return false;
  await events.record(tx, "reaction_destroyed", eventOf(id, reaction));
  await count(tx, identity, { by: -1, now });
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
  const targets = await queries.targetsOf(tx, userIds);
  await holdAll(tx, targets);
  const changes = noChanges();
  for (const reaction of await queries.removeOf(tx, userIds)) noteChange(changes, reaction, -1);
  await countAll(tx, changes, now);
}
