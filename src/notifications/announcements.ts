import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { type Outcome, pauseAfter } from "../events/outbox.ts";
import * as follows from "../follows/follows.ts";
import * as announcements from "./announcement-queries.ts";
import * as queries from "./queries.ts";

/** So many followers are told in one transaction. */
const BATCH = 1_000;

/**
 * Has the followers of an article's author and organization told of it, from now on and a few at a
 * time. An article that isn't published now is announced when it is.
 */
export function begin(tx: Db, articleId: number): Promise<void> {
  return announcements.begin(tx, articleId);
}

/** Goes on with an article that is published, if it waited for that. */
export function resume(tx: Db, articleId: number): Promise<void> {
  return announcements.resume(tx, articleId);
}

/**
 * Tells some followers of one publication. How far it has come is written down in the same
 * transaction, so whoever goes on after a crash tells nobody twice and leaves nobody out.
 */
export async function tellSome(db: Db, now: Date): Promise<Outcome> {
  let articleId: number | undefined;
  try {
    await inTransaction(db, async (tx) => {
      const next = await announcements.lockNext(tx);
      articleId = next?.article_id;
      if (next) await tell(tx, { articleId: next.article_id, toldUpTo: next.told_up_to, now });
    });
    return articleId === undefined ? 0 : 1;
  } catch (failure) {
    if (articleId === undefined) throw failure;
    await announcements.postpone(db, articleId, pauseAfter(failure));
    return { failure };
  }
}

async function tell(
  tx: Db,
  { articleId, toldUpTo, now }: { articleId: number; toldUpTo: number; now: Date },
): Promise<void> {
  const article = await queries.holdArticle(tx, articleId);
  if (article?.state !== "published") return announcements.park(tx, articleId);
  const { author_id: actorId, organization_id: organizationId } = article;
  const part = { authorId: actorId, organizationId, after: toldUpTo, limit: BATCH };
  const followers = await follows.audience(tx, part);
  const told = followers.filter((id) => id !== actorId);
  await queries.insertAll(tx, told, { kind: "article_published", articleId, actorId, at: now });
  const last = followers.at(-1);
  if (last === undefined || followers.length < BATCH) await announcements.end(tx, articleId);
  else await announcements.advance(tx, articleId, last);
}
