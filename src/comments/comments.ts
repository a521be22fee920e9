import * as articles from "../articles/comment-counts.ts";
import type { Db } from "../db/connect.ts";
import { invalid, notFound, unauthorized } from "../errors.ts";
import * as events from "../events/events.ts";
import { RENDERER_VERSION } from "../text/markdown.ts";
import { type Body, checkMentions } from "./body.ts";
import type { Target } from "./queries.ts";
import * as queries from "./writing-queries.ts";

/** Whoever writes. */
export interface Writer {
  id: number;
  role: string;
}

interface NewComment {
  writer: Writer;
  target: Target;
  /** The comment that it answers. */
  parentId?: number | undefined;
  body: Body;
  now: Date;
}

/**
 * Writes a comment under something public, or an answer to one.
 * @throws AppError not_found, unauthorized for those who may not write, invalid
 */
export async function write(tx: Db, wanted: NewComment): Promise<{ id: number }> {
  const { writer, target, parentId, body, now } = wanted;
  const place = await hold(tx, target);
  if (!place?.isPublic) throw notFound();
  await checkWriter(tx, writer);
  if (parentId !== undefined) await checkParent(tx, parentId, target);
  await checkMentions(tx, body.html);
  const id = await queries.insert(tx, {
    ...target,
    parent_id: parentId ?? null,
    author_id: writer.id,
    ...columnsOf(body),
    created_at: now,
  });
  if ("article_id" in target) await articles.addComment(tx, target.article_id, now);
  await events.record(tx, "comment_created", { comment_id: id, ...target });
  return { id };
}

function columnsOf({ markdown, html }: Body) {
  return { body_markdown: markdown, body_html: html, renderer_version: RENDERER_VERSION };
}

async function checkWriter(tx: Db, { id }: Writer): Promise<void> {
  if (!(await queries.isActive(tx, id))) throw unauthorized();
}

async function checkParent(tx: Db, parentId: number, target: Target): Promise<void> {
  const parent = await queries.find(tx, parentId);
  if (!parent || !isSame(targetOf(parent), target)) throw notFound();
  if (parent.deleted) throw invalid("The comment was deleted: it can't be answered any more");
}

function isSame(one: Target, other: Target): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function targetOf({ article_id, episode_id }: queries.CommentRow): Target {
  return article_id === null ? { episode_id: episode_id ?? 0 } : { article_id };
}

/** What comments stand under, and who may hide them there. */
interface Place {
  ownerId: number | null;
  isPublic: boolean;
}

/** Held until the transaction ends, so that those who write under it do so one after another. */
async function hold(tx: Db, target: Target): Promise<Place | undefined> {
  if ("episode_id" in target) return queries.holdEpisode(tx, target.episode_id);
  const article = await articles.holdForComment(tx, target.article_id);
  return article && { ownerId: article.author_id, isPublic: article.state === "published" };
}

interface Wish {
  id: number;
  writer: Writer;
}

/** The comment and its place, held until the transaction ends; what is deleted isn't there. */
async function holdComment(tx: Db, { id, writer }: Wish) {
  const found = await queries.find(tx, id);
  const target = found && targetOf(found);
  const place = target && (await hold(tx, target));
  const comment = await queries.lock(tx, id);
  if (!comment || !target || !place || comment.deleted) throw notFound();
  await checkWriter(tx, writer);
  return { comment, target, place };
}

/** Who may see a comment learns that they may not change it; to others it isn't there. */
function refusal({ isPublic }: Place): Error {
  return isPublic ? unauthorized() : notFound();
}

/**
 * Changes what a comment says; only who wrote it can.
 * @throws AppError not_found, unauthorized, invalid
 */
export async function edit(tx: Db, { body, now, ...wish }: Wish & { body: Body; now: Date }): Promise<void> {
  const { comment, target, place } = await holdComment(tx, wish);
  if (!place.isPublic) throw notFound();
  if (comment.author_id !== wish.writer.id) throw refusal(place);
  if (comment.body_markdown === body.markdown) return;
  await checkMentions(tx, body.html);
  await queries.update(tx, comment.id, { ...columnsOf(body), edited_at: now });
  await events.record(tx, "comment_updated", { comment_id: comment.id, ...target });
}

/**
 * Takes back what a comment says and who said it; the answers to it stay where they are. For its
 * author, moderators and admins.
 * @throws AppError not_found, unauthorized
 */
export async function remove(tx: Db, wish: Wish): Promise<void> {
  const { comment, target, place } = await holdComment(tx, wish);
  const { id, role } = wish.writer;
  const isModerator = role === "moderator" || role === "admin";
  if (comment.author_id !== id && !isModerator) throw refusal(place);
  await queries.update(tx, comment.id, { deleted: true });
  if ("article_id" in target) {
    await articles.takeComment(tx, target.article_id, await queries.lastUnder(tx, target.article_id));
  }
  await events.record(tx, "comment_destroyed", { comment_id: comment.id, ...target });
}

/**
 * Hides what a comment says and who said it, or shows it again. For the author of the article, or the
 * owner of the podcast.
 * @throws AppError not_found, unauthorized
 */
export async function setHidden(tx: Db, { hidden, ...wish }: Wish & { hidden: boolean }): Promise<void> {
  const { comment, target, place } = await holdComment(tx, wish);
  if (place.ownerId !== wish.writer.id) throw refusal(place);
  if (comment.hidden === hidden) return;
  await queries.update(tx, comment.id, { hidden });
  await events.record(tx, "comment_updated", { comment_id: comment.id, ...target });
}

/** Few, because everyone who comments under one of them waits. */
const RECOUNT_BATCH = 500;

/** Counts the comments of these articles, which are held until the transaction ends. */
export async function recount(tx: Db, articleIds: readonly number[]): Promise<void> {
  const ids = articleIds.toSorted((one, other) => one - other);
  for (let from = 0; from < ids.length; from += RECOUNT_BATCH) {
    const batch = ids.slice(from, from + RECOUNT_BATCH);
    await articles.holdAllForComments(tx, batch);
    await articles.setComments(tx, await queries.countUnder(tx, batch));
  }
}

/** Removes everything these people said, and what was answered to it. */
export async function removeByAuthors(tx: Db, authorIds: readonly number[]): Promise<number> {
  const articleIds = await queries.articlesCommentedBy(tx, authorIds);
  await articles.holdAllForComments(tx, articleIds);
  const removed = await queries.deleteByAuthors(tx, authorIds);
  await recount(tx, articleIds);
  return removed;
}
