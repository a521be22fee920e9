import type { Db } from "../db/connect.ts";
import { type Consumed, consume, createStep, drain, type Step } from "../events/outbox.ts";
import * as follows from "../follows/follows.ts";
import { mentionsIn } from "../text/references.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

/**
 * Returns the number of events.
 * @throws the first failure, at the end
 */
export function fanOut(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const events = consume(db, {
    consumer: "notifications",
    handle: (tx, event) => notify(tx, event, now),
  });
  // In turn, so that an author with many followers delays no other event.
  return drain(events, { signal, beside: announceSome(db, now) });
}

/**
 * Updates the notifications of a subject to its present state, so the order and repetition of events don't matter.
 */
async function notify(tx: Db, { type, payload }: Consumed<"notifications">, now: Date): Promise<void> {
  if ("follower_id" in payload) {
    if ("user_id" in payload) await notifyOfFollow(tx, payload, now);
  } else if ("comment_id" in payload) {
    await notifyOfComment(tx, { id: payload.comment_id, isNew: type === "comment_created", now });
  } else {
    const isNew = type === "article_published" && !("again" in payload && payload.again);
    await notifyOfArticle(tx, { id: payload.article_id, isNew, now });
  }
}

interface Subject {
  id: number;
  /** Later only newly mentioned people are notified. */
  isNew: boolean;
  now: Date;
}

async function notifyOfArticle(tx: Db, { id, isNew, now }: Subject): Promise<void> {
  const article = await queries.lockArticle(tx, id);
  const published = { kind: "article_published", articleId: id, at: now } as const;
  // The author may be away when a scheduled article is published.
  if (article && isNew)
    await queries.insertOfArticle(tx, [article.author_id], { ...published, actorId: null });
  if (article && isNew) await queries.beginAnnouncement(tx, id);
  if (article?.state !== "published") return queries.withdraw(tx, id, now);
  const mentioned = await users.idsByUsername(tx, mentionsIn(article.body_html));
  const notified = [...mentioned.values()].filter((userId) => userId !== article.author_id);
  // Before the followers: a mentioned follower gets the mention.
  const mention = { kind: "mention", articleId: id, actorId: article.author_id, at: now } as const;
  await queries.insertOfArticle(tx, notified, mention);
  await queries.resumeAnnouncement(tx, id);
  await queries.showAgain(tx, id);
}

/** The author or podcast owner, the author of the parent, and mentioned people: each once. */
async function notifyOfComment(tx: Db, { id, isNew, now }: Subject): Promise<void> {
  const comment = await queries.findComment(tx, id);
  if (!comment || comment.author_id === null || comment.deleted || !comment.is_public) return;
  const mentioned = await users.idsByUsername(tx, mentionsIn(comment.body_html));
  const kinds = new Map<number | null, queries.CommentKind>();
  for (const userId of mentioned.values()) kinds.set(userId, "mention");
  if (isNew) kinds.set(comment.owner_id, "comment").set(comment.answered_id, "reply");
  kinds.delete(comment.author_id);
  const notified = [...kinds].flatMap(([userId, kind]) => (userId === null ? [] : [{ userId, kind }]));
  await queries.insertOfComment(tx, notified, { commentId: id, actorId: comment.author_id, at: now });
}

async function notifyOfFollow(tx: Db, pair: queries.Pair, now: Date): Promise<void> {
  if (await queries.lockFollow(tx, pair)) await queries.insertFollow(tx, pair, now);
  else await queries.withdrawFollow(tx, pair, now);
}

const BATCH = 1_000;

/**
 * A step that notifies some followers of one published article, and stores the last of them in the same transaction:
 * after a crash the next process goes on with the next follower.
 */
function announceSome(db: Db, now: Date): Step {
  return createStep(db, {
    take: queries.lockNextAnnouncements,
    handle: (tx, next) => announce(tx, next, now),
    postpone: ({ article_id }, seconds) => queries.postponeAnnouncement(db, article_id, seconds),
  });
}

async function announce(
  tx: Db,
  { article_id: articleId, told_up_to }: { article_id: number; told_up_to: number },
  now: Date,
): Promise<void> {
  const article = await queries.lockArticle(tx, articleId);
  if (article?.state !== "published") return queries.parkAnnouncement(tx, articleId);
  const { author_id: actorId, organization_id: organizationId } = article;
  const part = { authorId: actorId, organizationId, after: told_up_to, limit: BATCH };
  const followers = await follows.audience(tx, part);
  const notified = followers.filter((id) => id !== actorId);
  await queries.insertOfArticle(tx, notified, { kind: "article_published", articleId, actorId, at: now });
  const last = followers.at(-1);
  if (last === undefined || followers.length < BATCH) await queries.endAnnouncement(tx, articleId);
  else await queries.advanceAnnouncement(tx, articleId, last);
}

export const notifyOfDisabledWebhook = queries.insertDisabledWebhook;

export const list = queries.list;
