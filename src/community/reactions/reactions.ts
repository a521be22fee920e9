import { type Actor, userOf } from "../../http/actor.ts";
import * as articles from "../articles/counts.ts";
import * as comments from "../comments/reaction-counts.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Reassignment } from "../../platform/db/reassign.ts";
import { notFound } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import * as actions from "../../platform/limits/actions.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

export const CATEGORIES = [
  "like",
  "unicorn",
  "exploding_head",
  "raised_hands",
  "fire",
  "readinglist",
] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Reaction {
  target: { articleId: number } | { commentId: number };
  category: Category;
}

const WINDOW_SECONDS = 30;

/**
 * Adds a reaction to visible content, one's own included. Returns whether it is new.
 * @throws AppError unauthorized, not_found, rate_limited
 */
export function react(actor: Actor<boolean>, reaction: Reaction): Promise<boolean> {
  return actor.run(async (tx) => {
    await users.requireActive(tx, userOf(actor).id);
    await requireShown(tx, reaction);
    return add(tx, actor, reaction);
  });
}

/**
 * Takes a reaction back, also from hidden content. Returns whether there was one.
 * @throws AppError unauthorized
 */
export function unreact(actor: Actor<boolean>, reaction: Reaction): Promise<boolean> {
  return actor.run(async (tx) => {
    await users.requireActive(tx, userOf(actor).id);
    return takeBack(tx, actor, reaction);
  });
}

/** @throws AppError not_found for hidden content */
async function requireShown(tx: Db, { target }: Reaction): Promise<void> {
  const isShown =
    "articleId" in target
      ? await articles.isShown(tx, target.articleId)
      : await comments.isShown(tx, target.commentId);
  if (!isShown) throw notFound();
}

async function add(tx: Db, actor: Actor, reaction: Reaction): Promise<boolean> {
  const [{ id: userId }, now] = [userOf(actor), actor.now()];
  // An import locks users early and articles at its end.
  await users.lock(tx, [userId]);
  const identity = identityOf(userId, reaction);
  const id = await queries.insertIfNew(tx, { ...identity, created_at: now });
  if (id === undefined) return false;
  const changes = changesBy(1, [identity]);
  await lockAll(tx, changes);
  // An existing reaction isn't counted; a refusal undoes the transaction.
  if (actor.isLimited) {
    const { reaction_create_limit: limit } = await actor.settings();
    await actions.spend(tx, { userId, action: "reaction", limit, windowSeconds: WINDOW_SECONDS, now });
  }
  await events.record(tx, "reaction_created", eventOf(id, userId, reaction));
  await countAll(tx, changes, now);
  return true;
}

async function takeBack(tx: Db, actor: Actor, reaction: Reaction): Promise<boolean> {
  const { id: userId } = userOf(actor);
  const identity = identityOf(userId, reaction);
  const id = await queries.remove(tx, identity);
  if (id === undefined) return false;
  const changes = changesBy(-1, [identity]);
  await lockAll(tx, changes);
  await events.record(tx, "reaction_destroyed", eventOf(id, userId, reaction));
  await countAll(tx, changes, actor.now());
  return true;
}

function identityOf(userId: number, { target, category }: Reaction): queries.Identity {
  return {
    user_id: userId,
    article_id: "articleId" in target ? target.articleId : null,
    comment_id: "commentId" in target ? target.commentId : null,
    category,
  };
}

function eventOf(reactionId: number, userId: number, { target, category }: Reaction) {
  return {
    reaction_id: reactionId,
    user_id: userId,
    category,
    ...("articleId" in target ? { article_id: target.articleId } : { comment_id: target.commentId }),
  };
}

export async function removeByUsers(tx: Db, userIds: readonly number[], now: Date): Promise<void> {
  const changes = changesBy(-1, await queries.removeOf(tx, userIds));
  await lockAll(tx, changes);
  await countAll(tx, changes, now);
}

/** Gives one person's reactions to another, who keeps one of two that are the same. Returns the number of the others. */
export async function reassign(tx: Db, people: Reassignment, now: Date): Promise<number> {
  const { dropped, moved } = await queries.reassign(tx, people);
  const changes = changesBy(-1, dropped);
  await lockAll(tx, changes);
  await countAll(tx, changes, now);
  return moved;
}

type Target = Pick<queries.Identity, "article_id" | "comment_id">;

export interface CountChanges {
  articles: Map<number, number>;
  comments: Map<number, number>;
}

export function noChanges(): CountChanges {
  return { articles: new Map(), comments: new Map() };
}

function changesBy(by: number, targets: readonly Target[]): CountChanges {
  const changes = noChanges();
  for (const target of targets) noteChange(changes, target, by);
  return changes;
}

export function noteChange(changes: CountChanges, { article_id, comment_id }: Target, by: number): void {
  if (article_id !== null) changes.articles.set(article_id, (changes.articles.get(article_id) ?? 0) + by);
  if (comment_id !== null) changes.comments.set(comment_id, (changes.comments.get(comment_id) ?? 0) + by);
}

/**
 * Locks articles and comments in one order. After the reactions are stored: a writer that waits for an import's
 * reaction then locks nothing else.
 */
export async function lockAll(tx: Db, changes: CountChanges): Promise<void> {
  await articles.lockAll(tx, [...changes.articles.keys()]);
  await comments.lockAll(tx, [...changes.comments.keys()]);
}

export async function countAll(tx: Db, changes: CountChanges, now: Date): Promise<void> {
  await articles.countReactions(tx, changes.articles, now);
  await comments.countReactions(tx, changes.comments);
}
