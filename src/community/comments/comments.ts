import { type Actor, type Author, userOf } from "../../http/actor.ts";
import * as articles from "../articles/counts.ts";
import type { Db } from "../../platform/db/connect.ts";
import { differs } from "../../platform/db/rows.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import * as actions from "../../platform/limits/actions.ts";
import { RENDERER_VERSION } from "../../platform/jobs/rerender.ts";
import * as log from "../log/log.ts";
import { requireOver } from "../users/moderation.ts";
import * as users from "../users/users.ts";
import { type Body, checkMentions, render } from "./body.ts";
import { idOf } from "./id-codes.ts";
import type { Target } from "./queries.ts";
import * as queries from "./writing-queries.ts";

interface NewComment {
  target: Target;
  /** The comment that it answers. */
  parentId?: number | undefined;
  markdown: string;
}

const LIMIT = { limit: 10, windowSeconds: 30 };
const NEW_ACCOUNT_LIMIT = { limit: 5, windowSeconds: 300 };

/**
 * Writes a comment under something public, or an answer to one.
 * @throws AppError not_found, unauthorized for those who may not write, invalid, rate_limited
 */
export async function create(
  actor: Author<{ id: number }>,
  { target, parentId, markdown }: NewComment,
): Promise<{ id: number }> {
  const body = await render(actor.db, actor.renderer, markdown);
  return actor.run(async (tx) => {
    const [{ id: userId }, now] = [userOf(actor), actor.now()];
    // An import locks users early and articles at its end.
    const author = (await users.lock(tx, [userId])).get(userId);
    const place = await lockCommented(tx, target);
    if (!place?.isPublic) throw notFound();
    await users.requireActive(tx, userId);
    if (parentId !== undefined) await checkParent(tx, parentId, target);
    await checkMentions(tx, body.html);
    if (actor.isLimited) {
      const limit = author && users.isNew(author, now) ? NEW_ACCOUNT_LIMIT : LIMIT;
      await actions.spend(tx, { action: "comment_create", ...limit, userId, now });
    }
    const id = await queries.insert(tx, {
      ...target,
      parent_id: parentId ?? null,
      // A trigger sets it.
      root_id: 0,
      author_id: userId,
      ...columnsOf(body),
      created_at: now,
    });
    if ("article_id" in target) await articles.countComments(tx, [target.article_id]);
    await events.record(tx, "comment_created", { comment_id: id, ...target });
    return { id };
  });
}

function columnsOf({ markdown, html }: Body) {
  return { body_markdown: markdown, body_html: html, renderer_version: RENDERER_VERSION };
}

async function checkParent(tx: Db, parentId: number, target: Target): Promise<void> {
  const parent = await queries.find(tx, parentId);
  if (!parent || JSON.stringify(targetOf(parent)) !== JSON.stringify(target)) throw notFound();
  if (parent.deleted) throw invalid("The comment was deleted: it accepts no replies");
}

function targetOf({ article_id, episode_id }: Pick<queries.CommentRow, "article_id" | "episode_id">): Target {
  return article_id === null ? { episode_id: episode_id ?? 0 } : { article_id };
}

interface Commented {
  ownerId: number | null;
  isPublic: boolean;
}

/** Locks the commented content, so that comments under one article are written in turn. */
async function lockCommented(tx: Db, target: Target): Promise<Commented | undefined> {
  if ("episode_id" in target) return queries.lockEpisode(tx, target.episode_id);
  const article = await articles.lockForComment(tx, target.article_id);
  return article && { ownerId: article.author_id, isPublic: article.state === "published" };
}

/** The source of a comment, for its author. @throws AppError not_found */
export async function findOwn(db: Db, code: string, authorId: number): Promise<queries.CommentRow> {
  const id = idOf(code);
  const comment = id === undefined ? undefined : await queries.find(db, id);
  if (comment?.author_id !== authorId || comment.deleted) throw notFound();
  return comment;
}

async function lockComment(tx: Db, actor: Actor, id: number) {
  const found = await queries.find(tx, id);
  const target = found && targetOf(found);
  const place = target && (await lockCommented(tx, target));
  const comment = await queries.lock(tx, id);
  const isOperator = actor.by === "operator";
  if (!comment || !target || !place || (comment.deleted && !isOperator)) throw notFound();
  const role: users.Role | "operator" = isOperator
    ? "operator"
    : await users.requireActive(tx, userOf(actor).id);
  return { comment, target, place, role };
}

/** For its author. @throws AppError not_found for others, invalid */
export async function edit(
  actor: Author<{ id: number }>,
  { id, markdown }: { id: number; markdown: string },
): Promise<{ id: number }> {
  const body = await render(actor.db, actor.renderer, markdown);
  return actor.run(async (tx) => {
    const { comment, target, place } = await lockComment(tx, actor, id);
    if (!place.isPublic || !isUser(actor, comment.author_id)) throw notFound();
    if (comment.body_markdown === body.markdown) return { id };
    await checkMentions(tx, body.html);
    await queries.update(tx, comment.id, { ...columnsOf(body), edited_at: actor.now() });
    await events.record(tx, "comment_updated", { comment_id: comment.id, ...target });
    return { id };
  });
}

const REMOVERS: readonly (users.Role | "operator")[] = ["moderator", "admin", "operator"];

/**
 * The answers stay. Returns whether that was a change. For its author, moderators, admins and the operator.
 */
export function remove(actor: Actor<boolean>, id: number, staff?: Staff): Promise<boolean> {
  return actor.run(async (tx) => {
    const { comment, target, role } = await lockComment(tx, actor, id);
    const isOwn = !staff && isUser(actor, comment.author_id);
    if (!isOwn && !REMOVERS.includes(role)) throw notFound();
    if (!isOwn) await requireOver(tx, actor, comment.author_id);
    if (comment.deleted) return false;
    await queries.update(tx, comment.id, { deleted: true });
    if ("article_id" in target) await articles.countComments(tx, [target.article_id]);
    await events.record(tx, "comment_deleted", { comment_id: comment.id, ...target });
    const entry = { act: "delete_comment", on: { kind: "comment", id }, ...staff } as const;
    if (!isOwn) await log.record(tx, actor, entry);
    return true;
  });
}

/** An act of moderation, not of the owner of a page. */
type Staff = { reason: string };

/**
 * Returns whether that was a change. For the author of the article and the owner of the podcast, as staff for moderators
 * and admins, and for the operator. What staff hid only staff show again.
 */
export function setHidden(
  actor: Actor<boolean>,
  { id, hidden, staff }: { id: number; hidden: boolean; staff?: Staff },
): Promise<boolean> {
  return actor.run(async (tx) => {
    const { comment, target, place } = await lockComment(tx, actor, id);
    const isStaff = staff !== undefined || actor.by === "operator";
    if (!isStaff && !isUser(actor, place.ownerId)) throw notFound();
    if (isStaff) await requireOver(tx, actor, comment.author_id);
    if (comment.deleted) throw invalid("The comment is deleted: nothing of it is left to be hidden or shown");
    if (!isStaff && comment.hidden_reason !== null)
      throw invalid("A moderator has hidden this comment: only moderators and admins can show it");
    const change = { hidden, hidden_reason: hidden && isStaff ? (staff?.reason.trim() ?? "") : null };
    if (!differs(comment, change)) return false;
    await queries.update(tx, comment.id, change);
    await events.record(tx, "comment_updated", { comment_id: comment.id, ...target });
    const act = hidden ? "hide_comment" : "show_comment";
    if (isStaff) await log.record(tx, actor, { act, on: { kind: "comment", id }, ...staff });
    return true;
  });
}

function isUser({ user }: Actor, id: number | null): boolean {
  return user !== undefined && user.id === id;
}

/** A batch is bounded, because writers of comments under its articles wait. */
const RECOUNT_BATCH = 500;

export async function recount(tx: Db, articleIds: readonly number[]): Promise<void> {
  const ids = articleIds.toSorted((one, other) => one - other);
  for (let from = 0; from < ids.length; from += RECOUNT_BATCH) {
    const batch = ids.slice(from, from + RECOUNT_BATCH);
    await articles.lockAll(tx, batch);
    await articles.countComments(tx, batch);
  }
}

/** Empties all comments of a person; the answers stay. Returns their number. */
export async function emptyByAuthor(tx: Db, authorId: number): Promise<number> {
  const articleIds = await queries.articlesCommentedBy(tx, [authorId]);
  await articles.lockAll(tx, articleIds);
  const deleted = await queries.deleteByAuthor(tx, authorId);
  await events.recordAll(
    tx,
    deleted.map((row) => ["comment_deleted", { comment_id: row.id, ...targetOf(row) }]),
  );
  const emptied = await queries.emptyByAuthor(tx, authorId);
  await recount(tx, articleIds);
  return emptied;
}

/** Removes the comments of these people, with the answers. */
export async function removeByAuthors(tx: Db, authorIds: readonly number[]): Promise<number> {
  const articleIds = await queries.articlesCommentedBy(tx, authorIds);
  await articles.lockAll(tx, articleIds);
  const removed = await queries.deleteByAuthors(tx, authorIds);
  await recount(tx, articleIds);
  return removed;
}
