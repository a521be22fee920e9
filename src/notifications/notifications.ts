import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import { mentionsIn } from "../text/mentions.ts";
import * as users from "../users/users.ts";
import * as announcements from "./announcements.ts";
import { tellOfComment } from "./comments.ts";
import type { Outcome } from "./outcome.ts";
import * as queries from "./queries.ts";

/** A task that can't be done is left alone for so long, so that the others don't wait for it. */
const POSTPONED_SECONDS = 60;
/** One that only had to wait too long, as for an import that holds its article. */
const WAITED_SECONDS = 5;

/**
 * Tells people what has happened, and returns how many articles, comments and follows that was about. Any number
 * of processes may do so at once: a task goes in the transaction of what it causes.
 * @throws the first of the failures, after everything else is done
 */
export async function fanOut(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const failures: unknown[] = [];
  const note = (outcome: Outcome) => {
    if (typeof outcome === "object") failures.push(outcome.failure);
  };
  for (let total = 0; ;) {
    const task = signal?.aborted ? "none" : await fanOutOne(db, now);
    // Those who have many followers keep nobody else waiting.
    const announcement = signal?.aborted ? "none" : await announcements.tellSome(db, now);
    note(task);
    note(announcement);
    if (task === "done") total += 1;
    if (task !== "none" || announcement !== "none") continue;
    if (failures.length > 0) throw failures[0];
    return total;
  }
}

async function fanOutOne(db: Db, now: Date): Promise<Outcome> {
  let subject: queries.Subject | undefined;
  try {
    await inTransaction(db, async (tx) => {
      subject = await queries.lockNextTask(tx);
      if (subject === undefined) return;
      const { announces } = await queries.takeTasks(tx, subject);
      if ("articleId" in subject) await tellOf(tx, { ...subject, announces, now });
      else if ("commentId" in subject) await tellOfComment(tx, { ...subject, announces, now });
      else await tellOfFollow(tx, subject, now);
    });
    return subject === undefined ? "none" : "done";
  } catch (failure) {
    if (subject === undefined) throw failure;
    await queries.postpone(db, subject, isPassing(failure) ? WAITED_SECONDS : POSTPONED_SECONDS);
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
