import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { limitWaiting, type Outcome, pauseAfter } from "../events/outbox.ts";
import * as follows from "../follows/follows.ts";
import * as announcements from "./announcement-queries.ts";
import * as queries from "./queries.ts";

/** Followers that are notified in one transaction. */
const BATCH = 1_000;

/**
 * Notifies some followers of one published article, and stores the last of them in the same transaction: after a crash
 * the next process goes on with the next follower.
 */
export async function announceSome(db: Db, now: Date): Promise<Outcome> {
  let articleId: number | undefined;
  try {
    await inTransaction(db, async (tx) => {
      await limitWaiting(tx);
      const next = await announcements.lockNext(tx);
      articleId = next?.article_id;
      if (next) await announce(tx, { articleId: next.article_id, toldUpTo: next.told_up_to, now });
    });
    return articleId === undefined ? 0 : 1;
  } catch (failure) {
    if (articleId === undefined) throw failure;
    await announcements.postpone(db, articleId, pauseAfter(failure));
    return { failure };
  }
}

async function announce(
  tx: Db,
  { articleId, toldUpTo, now }: { articleId: number; toldUpTo: number; now: Date },
): Promise<void> {
  const article = await queries.lockArticle(tx, articleId);
  if (article?.state !== "published") return announcements.park(tx, articleId);
  const { author_id: actorId, organization_id: organizationId } = article;
  const part = { authorId: actorId, organizationId, after: toldUpTo, limit: BATCH };
  const followers = await follows.audience(tx, part);
  const notified = followers.filter((id) => id !== actorId);
  await queries.insertOfArticle(tx, notified, { kind: "article_published", articleId, actorId, at: now });
  const last = followers.at(-1);
  if (last === undefined || followers.length < BATCH) await announcements.end(tx, articleId);
  else await announcements.advance(tx, articleId, last);
}
