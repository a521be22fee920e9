import type { Db } from "../../platform/db/connect.ts";
import { commentPath } from "../../platform/paths.ts";
import { firstWords } from "../../content/text/plain-text.ts";
import type { Letter } from "../../mail/render.tsx";
import type { LetterRequest } from "../../mail/sending.ts";
import * as notifications from "../notifications/notifications.ts";
import { notification, wordsOf } from "../notifications/view.ts";

/** Characters of a comment, of which the link shows the rest. */
const MAX_WORDS = 1_000;

type Request = Pick<LetterRequest<"mention">, "userId" | "about">;

/** An email that tells of a notification: none of one that is read or no longer shown. */
const letterAbout =
  (why: string) =>
  async (db: Db, { userId, about }: Request): Promise<Letter | undefined> => {
    const row = await notifications.find(db, { userId: userId ?? 0, id: about.notification_id });
    if (row === undefined || row.read_at !== null || row.suspended) return undefined;
    const { title, path, id_code } = notification(row);
    const subject = `${row.actor_name ?? ""} ${wordsOf(row)} “${title}”`;
    const text = row.body_html === null ? [] : [firstWords(row.body_html, MAX_WORDS)];
    const link = { path: id_code === undefined ? path : commentPath(id_code), words: "Read it on the site" };
    return { subject, body: [`${subject}.`, ...text, link], why: `You get this email because ${why}.` };
  };

export const aboutNotifications = {
  comment_reply: letterAbout("your comment got a reply"),
  article_comment: letterAbout("your article or episode got a comment"),
  mention: letterAbout("you turned on emails about mentions of you"),
};
