import type { Db } from "../db/connect.ts";
import { type Consumed, consume, drain } from "../events/outbox.ts";
import { mentionsIn } from "../text/mentions.ts";
import * as users from "../users/users.ts";
import * as announcements from "./announcements.ts";
import { tellOfComment } from "./comments.ts";
import * as queries from "./queries.ts";

/**
 * Notifies people of what has happened, and returns the number of events.
 * @throws the first of the failures, after everything else is done
 */
export function fanOut(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const events = consume(db, {
    consumer: "notifications",
    handle: (tx, event) => notify(tx, event, now),
  });
  // In turn, so that an author with many followers delays no other event.
  return drain(events, { signal, beside: () => announcements.tellSome(db, now) });
}

async function notify(tx: Db, { type, payload }: Consumed<"notifications">, now: Date): Promise<void> {
  if ("follower_id" in payload) {
    const { follower_id: followerId } = payload;
    if ("user_id" in payload) await tellOfFollow(tx, { followerId, followedId: payload.user_id }, now);
  } else if ("comment_id" in payload) {
    await tellOfComment(tx, { commentId: payload.comment_id, announces: type === "comment_created", now });
  } else {
    const announces = type === "article_published" && !("again" in payload && payload.again);
    await tellOf(tx, { articleId: payload.article_id, announces, now });
  }
}

/**
 * Brings what people are told in line with the article as it is now, so that neither the order of the
 * tasks nor doing one twice makes a difference.
 */
async function tellOf(
  tx: Db,
  { articleId, announces, now }: { articleId: number; announces: boolean; now: Date },
): Promise<void> {
  const article = await queries.holdArticle(tx, articleId);
  const published = { kind: "article_published", articleId, at: now } as const;
  // The author too, who may have been away when the article's time came.
  if (article && announces) await queries.insertAll(tx, [article.author_id], { ...published, actorId: null });
  if (article && announces) await announcements.begin(tx, articleId);
  if (article?.state !== "published") return queries.withdraw(tx, articleId, now);
  const mentioned = await users.idsByUsername(tx, mentionsIn(article.body_html));
  const told = [...mentioned.values()].filter((id) => id !== article.author_id);
  const { author_id: actorId } = article;
  // Before the followers: whoever is both is told of the mention.
  await queries.insertAll(tx, told, { kind: "mention", articleId, actorId, at: now });
  await announcements.resume(tx, articleId);
  await queries.showAgain(tx, articleId);
}

/** The same for whether one person follows another. */
async function tellOfFollow(tx: Db, pair: queries.Pair, now: Date): Promise<void> {
  if (await queries.holdFollow(tx, pair)) await queries.insertFollow(tx, pair, now);
  else await queries.withdrawFollow(tx, pair, now);
}

/** Tells somebody that nothing is sent to an endpoint of theirs any more. */
export function tellOfDisabledWebhook(
  tx: Db,
  disabled: { userId: number; webhookEndpointId: number; now: Date },
): Promise<void> {
  return queries.insertDisabledWebhook(tx, disabled);
}

/** What somebody is shown, the newest first. */
export function list(db: Db, userId: number, limit: number) {
  return queries.list(db, userId, limit);
}
