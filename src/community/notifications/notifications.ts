import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { type Consumed, consume, drain, nextDue } from "../../platform/events/outbox.ts";
import type { Kind } from "../../mail/kinds.ts";
import * as mails from "../../mail/queue.ts";
import { mentionsIn } from "../../content/text/references.ts";
import { type Cut, type CursorFormat, decoded, encodeCursor, type Part, toPart } from "../../http/pages.ts";
import { notFound } from "../../platform/errors.ts";
import { notifyOfAct } from "./acts.ts";
import * as users from "../users/users.ts";
import * as announcements from "./announcement-queries.ts";
import { createAnnouncing } from "./announcements.ts";
import * as lists from "./list-queries.ts";
import * as queries from "./queries.ts";

/** Events in one transaction: few enough that a writer who waits for an article doesn't notice. */
const BATCH = 100;

export const NEXT_DUE = sql<Date | null>`least(${nextDue("notifications")}, ${announcements.NEXT_DUE})`;

/**
 * Returns the number of events.
 * @throws the first failure, at the end
 */
export function fanOut(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const events = consume(db, {
    consumer: "notifications",
    batch: BATCH,
    handle: (tx, taken) => notify(tx, taken, now),
  });
  // Announcements and events take turns, so that an author with many followers delays no other event.
  return drain(events, { signal, beside: createAnnouncing(db, now) });
}

type Event = Consumed<"notifications">;

/**
 * Updates the notifications of each subject to its present state, so the order and repetition of events don't matter.
 */
async function notify(tx: Db, events: Event[], now: Date): Promise<void> {
  // Articles first, and together, so that processes lock them in one order.
  await notifyOfArticles(tx, events, now);
  for (const { type, payload } of events) {
    if ("follower_id" in payload) {
      if ("user_id" in payload) await notifyOfFollow(tx, payload, now);
    } else if ("log_id" in payload) {
      await notifyOfAct(tx, payload.log_id, now);
    } else if ("comment_id" in payload) {
      await notifyOfComment(tx, { id: payload.comment_id, isNew: type === "comment_created", now });
    }
  }
}

async function notifyOfArticles(tx: Db, events: Event[], at: Date): Promise<void> {
  const { all, fresh } = articlesOf(events);
  if (all.size === 0) return;
  const articles = await queries.lockArticles(tx, { ids: [...all] });
  const isNew = ({ id }: queries.ArticleRow) => fresh.has(id);
  // The author may be away when a scheduled article is published.
  const authors = articles
    .filter(isNew)
    .map(({ id, author_id }) => ({ articleId: id, userId: author_id, actorId: null }));
  await queries.insertOfArticles(tx, authors, { kind: "article_published", at });
  await announcements.begin(
    tx,
    authors.map(({ articleId }) => articleId),
  );
  const published = articles.filter(({ state }) => state === "published");
  const hidden = articles.filter(({ state }) => state !== "published");
  await queries.withdraw(
    tx,
    hidden.map(({ id }) => id),
    at,
  );
  if (published.length === 0) return;
  // Mentions come before announcements: a mentioned follower gets the mention.
  const mentions = await mentionsOf(tx, published);
  await sendEmails(tx, await queries.insertOfArticles(tx, mentions, { kind: "mention", at }), at);
  const ids = published.map(({ id }) => id);
  await announcements.resume(tx, { ids });
  await queries.showAgain(tx, { ids });
}

/** The articles of events, and those of them that are published for the first time. */
function articlesOf(events: Event[]): { all: Set<number>; fresh: Set<number> } {
  const all = new Set<number>();
  const fresh = new Set<number>();
  for (const { type, payload } of events) {
    if (!("article_id" in payload) || "comment_id" in payload) continue;
    all.add(payload.article_id);
    if (type === "article_published" && !payload.again) fresh.add(payload.article_id);
  }
  return { all, fresh };
}

async function mentionsOf(tx: Db, articles: queries.ArticleRow[]): Promise<queries.OfArticle[]> {
  const bodies = await queries.bodiesWithNames(tx, { ids: articles.map(({ id }) => id) });
  const names = new Map(bodies.map(({ id, body_html }) => [id, mentionsIn(body_html)]));
  const ids = await users.idsByUsername(tx, [...new Set([...names.values()].flat())]);
  return articles.flatMap(({ id: articleId, author_id: actorId }) =>
    (names.get(articleId) ?? [])
      .flatMap((name) => ids.get(name) ?? [])
      .filter((userId) => userId !== actorId)
      .map((userId) => ({ userId, articleId, actorId })),
  );
}

interface Subject {
  id: number;
  /** Later only newly mentioned people are notified. */
  isNew: boolean;
  now: Date;
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
  const about = { commentId: id, actorId: comment.author_id, at: now };
  await sendEmails(tx, await queries.insertOfComment(tx, notified, about), now);
}

const EMAILS: Record<queries.CommentKind, Kind> = {
  comment: "article_comment",
  reply: "comment_reply",
  mention: "mention",
};

async function sendEmails(tx: Db, told: readonly queries.Told[], now: Date): Promise<void> {
  for (const kind of new Set(told.map((each) => each.kind))) {
    const readers = queries.readersOf(told.filter((each) => each.kind === kind));
    await mails.enqueueEach(EMAILS[kind], readers, now).execute(tx);
  }
}

async function notifyOfFollow(tx: Db, pair: queries.Pair, now: Date): Promise<void> {
  if (await queries.lockFollow(tx, pair)) await queries.insertFollow(tx, pair, now);
  else await queries.withdrawFollow(tx, pair, now);
}

export const notifyOfDisabledWebhook = queries.insertDisabledWebhook;
export const notifyOfSecurity = queries.insertSecurity;

/**
 * Notifies admins of a person who asks to join, here and by mail: at once, then at most once an hour. The transaction
 * has the lock of applications, so that the next one sees the mail.
 */
export async function notifyOfApplication(tx: Db, now: Date): Promise<void> {
  await queries.insertApplication(tx, "A person asks to join", now);
  await mails.enqueueHourly(tx, "applications_waiting", now);
}

const UNREAD_FIRST: CursorFormat<lists.Position> = {
  name: "unread first",
  toValues: ({ isUnread, id }) => [Number(isUnread), id],
  toKey: ([isUnread, id, ...more]) =>
    more.length === 0 && (isUnread === 0 || isUnread === 1) && Number.isSafeInteger(id)
      ? { isUnread: isUnread === 1, id: Number(id) }
      : undefined,
};

/** A part of a user's notifications: unread ones first, then newest first. */
export async function pageOf(db: Db, userId: number, cut: Cut): Promise<Part<lists.NotificationRow>> {
  const rows = await lists.listUnreadFirst(db, userId, decoded(cut, UNREAD_FIRST));
  const { id, read_at } = rows[cut.limit - 1] ?? { id: 0, read_at: null };
  const last = { isUnread: read_at === null, id: Number(id) };
  return toPart(rows, cut.limit, () => ({ cursor: encodeCursor(UNREAD_FIRST, last) }));
}

/**
 * Marks one as read, and returns it.
 * @throws AppError not_found for another user's, and for one that isn't shown any more
 */
export async function markRead(tx: Db, one: lists.OfUser, now: Date) {
  const row = await lists.find(tx, one);
  if (row === undefined) throw notFound();
  await queries.markRead(tx, one, now);
  return row;
}

export const markAllRead = (tx: Db, userId: number, now: Date) => queries.markRead(tx, { userId }, now);

export const { find, list } = lists;
export const { reassign } = queries;
