import type { Db } from "../db/connect.ts";
import { createStep, type Step } from "../events/outbox.ts";
import * as follows from "../follows/follows.ts";
import * as announcements from "./announcement-queries.ts";
import * as queries from "./queries.ts";

const BATCH = 1_000;

/**
 * A step that notifies some followers of one published article, and stores the last of them in the same transaction:
 * after a crash the next process goes on with the next follower.
 */
export function announceSome(db: Db, now: Date): Step {
  return createStep(db, {
    take: announcements.lockNext,
    handle: (tx, next) => announce(tx, next, now),
    postpone: ({ article_id }, seconds) => announcements.postpone(db, article_id, seconds),
  });
}

async function announce(
  tx: Db,
  { article_id: articleId, told_up_to }: { article_id: number; told_up_to: number },
  now: Date,
): Promise<void> {
  const article = await queries.lockArticle(tx, articleId);
  if (article?.state !== "published") return announcements.park(tx, articleId);
  const { author_id: actorId, organization_id: organizationId } = article;
  const part = { authorId: actorId, organizationId, after: told_up_to, limit: BATCH };
  const followers = await follows.audience(tx, part);
  const notified = followers.filter((id) => id !== actorId);
  await queries.insertOfArticle(tx, notified, { kind: "article_published", articleId, actorId, at: now });
  const last = followers.at(-1);
  if (last === undefined || followers.length < BATCH) await announcements.end(tx, articleId);
  else await announcements.advance(tx, articleId, last);
}
