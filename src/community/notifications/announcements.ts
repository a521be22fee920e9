import type { Db } from "../../platform/db/connect.ts";
import { createStep, type Step } from "../../platform/events/outbox.ts";
import * as follows from "../follows/follows.ts";
import * as queries from "./announcement-queries.ts";
import { type ArticleRow, insertOfArticles, lockArticles } from "./queries.ts";

/** Articles in one transaction. */
const ARTICLES = 20;

/** Notifications in one transaction. */
const FOLLOWERS = 1_000;

/**
 * A step that notifies some followers of some published articles, and stores the last of them in the same
 * transaction: after a crash the next process goes on with the next follower.
 */
export function createAnnouncing(db: Db, now: Date): Step {
  return createStep(db, {
    batch: ARTICLES,
    take: (tx, limit) => queries.lockDue(tx, { limit }),
    handle: (tx, due) => announce(tx, due, now),
    postpone: ({ article_id }, seconds) => queries.postpone(db, article_id, seconds),
  });
}

/** Returns whether there are more followers. */
async function announce(tx: Db, due: queries.AnnouncementRow[], at: Date): Promise<boolean> {
  const toldUpTo = new Map(due.map(({ article_id, told_up_to }) => [article_id, told_up_to]));
  const articles = await lockArticles(tx, { ids: [...toldUpTo.keys()] });
  const published = articles.filter(({ state }) => state === "published");
  await queries.park(tx, idsOf(articles.filter(({ state }) => state !== "published")));
  if (published.length === 0) return false;
  // The articles share a batch, so that an author with many followers delays no other.
  const limit = Math.floor(FOLLOWERS / due.length);
  const parts = published.map(({ id, author_id, organization_id }) => ({
    articleId: id,
    authorId: author_id,
    organizationId: organization_id,
    after: toldUpTo.get(id) ?? 0,
  }));
  const followers = await follows.audiences(tx, parts, limit);
  const notified = published.flatMap(({ id: articleId, author_id: actorId }) =>
    (followers.get(articleId) ?? [])
      .filter((userId) => userId !== actorId)
      .map((userId) => ({ userId, articleId, actorId })),
  );
  await insertOfArticles(tx, notified, { kind: "article_published", at });
  const unfinished = published.filter(({ id }) => followers.get(id)?.length === limit);
  await queries.end(tx, idsOf(published.filter((article) => !unfinished.includes(article))));
  await queries.advance(tx, new Map(unfinished.map(({ id }) => [id, followers.get(id)?.at(-1) ?? 0])));
  return unfinished.length > 0;
}

const idsOf = (articles: ArticleRow[]) => articles.map(({ id }) => id);
