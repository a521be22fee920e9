import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { commentPath, NOTIFICATIONS, pathUnder } from "../../platform/paths.ts";
import * as mails from "../../mail/queue.ts";
import { idCode } from "../comments/id-codes.ts";
import * as log from "../log/log.ts";

/** The acts of staff that have a notice for the person whom they concern, and how it goes on after what they concern. */
const NOTICES: Partial<Record<string, string>> = {
  unpublish_article: "was unpublished",
  delete_article: "was deleted",
  restore_article: "is back",
  hide_comment: "was hidden",
  show_comment: "is shown again",
  delete_comment: "was deleted",
  unpublish_listing: "was unpublished",
  restore_listing: "is back",
  unpublish_user: "stays, but what you wrote was unpublished",
  suspend_user: "is suspended",
  lift_suspension: "is no longer suspended",
  mark_spam: "is marked as spam and suspended, and what you wrote is hidden",
  unmark_spam: "is no longer suspended, and what you wrote is shown again",
};

/** The words of a notification and an email about an act, and their path. Undefined for an act without a notice. */
export async function noticeOf(db: Db, logId: number) {
  const row = await log.find(db, logId);
  const notice = row && NOTICES[row.act];
  if (!row || !notice || row.user_id === null) return undefined;
  const { act, on_kind, on_name, detail, user_id: userId, reason } = row;
  const subject = on_kind === "user" ? "account" : `${on_kind} “${on_name}”`;
  const words = `Your ${subject} ${notice}${act === "suspend_user" ? ` ${detail}` : ""}`;
  return { userId, words, reason, path: await pathOf(db, row) };
}

async function pathOf(db: Db, { on_kind: kind, on_id: id }: log.LogRow): Promise<string> {
  if (id === null) return NOTIFICATIONS;
  if (kind === "comment") return commentPath(idCode(id));
  const { rows } = await sql<{ publisher: string; slug: string }>`
    select coalesce(organizations.username, users.username) as publisher, slug
    from articles join users on users.id = author_id left join organizations on organizations.id = organization_id
    where articles.id = ${id} and state <> 'deleted' and ${kind} = 'article'`.execute(db);
  return rows[0] ? pathUnder(rows[0].publisher, rows[0].slug) : NOTIFICATIONS;
}

/** Tells the person whom an act of staff concerns, here and by email. */
export async function notifyOfAct(tx: Db, logId: number, now: Date): Promise<void> {
  const notice = await noticeOf(tx, logId);
  if (notice === undefined) return;
  const { userId, words, reason, path } = notice;
  await sql`
    insert into notifications (user_id, kind, notice, path, created_at)
    values (${userId}, 'moderation', ${reason === null ? words : `${words}: ${reason}`}, ${path}, ${now})`.execute(
    tx,
  );
  await mails.enqueue(tx, { kind: "moderation", userId, about: { log_id: logId } }, now);
}
