import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import { mentionsIn } from "../text/mentions.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

/** A task that can't be done is left alone for so long, so that the others don't wait for it. */
const POSTPONED_SECONDS = 60;
/** One that only had to wait too long, as for an import that holds its article. */
const WAITED_SECONDS = 5;

/**
 * Tells people what has happened to articles, and returns how many articles there were. Any number of
 * processes may do so at once: a task goes in the transaction of what it causes.
 * @throws the first of the failures, after everything else is done
 */
export async function fanOut(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const failures: unknown[] = [];
  for (let total = 0; ;) {
    const outcome = signal?.aborted ? "none" : await fanOutOne(db, now);
    if (outcome === "done") total += 1;
    else if (outcome !== "none") failures.push(outcome.failure);
    else if (failures.length > 0) throw failures[0];
    else return total;
  }
}

async function fanOutOne(db: Db, now: Date): Promise<"none" | "done" | { failure: unknown }> {
  let articleId: number | undefined;
  try {
    await inTransaction(db, async (tx) => {
      articleId = await queries.lockNextTask(tx);
      if (articleId === undefined) return;
      const { announces } = await queries.takeTasks(tx, articleId);
      await tellOf(tx, { articleId, announces, now });
    });
    return articleId === undefined ? "none" : "done";
  } catch (failure) {
    if (articleId === undefined) throw failure;
    await queries.postpone(db, articleId, isPassing(failure) ? WAITED_SECONDS : POSTPONED_SECONDS);
    return { failure };
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
  if (article?.state !== "published") return queries.withdraw(tx, articleId, now);
  const mentioned = await users.idsByUsername(tx, mentionsIn(article.body_html));
  const told = [...mentioned.values()].filter((id) => id !== article.author_id);
  const { author_id: actorId } = article;
  await queries.insertAll(tx, told, { kind: "mention", articleId, actorId, at: now });
  await queries.showAgain(tx, articleId);
}

/** What somebody is shown, the newest first. */
export function list(db: Db, userId: number, limit: number) {
  return queries.list(db, userId, limit);
}
