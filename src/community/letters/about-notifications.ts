import type { Db } from "../../platform/db/connect.ts";
import { commentPath } from "../../platform/paths.ts";
import { firstWords } from "../../content/text/plain-text.ts";
import type { Letter } from "../../mail/render.tsx";
import type { LetterRequest } from "../../mail/sending.ts";
import * as notifications from "../notifications/notifications.ts";
import { notification, wordsOf } from "../notifications/view.ts";

/** Characters of a comment, of which the link shows the rest. */
const MAX_WORDS = 1_000;

/** An email that tells of a notification: none of one that is read or no longer shown. */
const letterAbout =
  (why: string) =>
  async (
    db: Db,
    { userId, about }: Pick<LetterRequest<"mention">, "userId" | "about">,
  ): Promise<Letter | undefined> => {
    if (userId === null) return undefined;
    const row = await notifications.find(db, { userId, id: about.notification_id });
    if (row === undefined || row.read_at !== null || row.suspended) return undefined;
    const { title, path, id_code } = notification(row);
    const subject = `${row.actor_name ?? ""} ${wordsOf(row)} “${title}”`;
    const link =
      id_code === undefined
        ? { path, words: "Read the article" }
        : { path: commentPath(id_code), words: "Read and reply" };
    const text = row.body_html === null ? [] : [firstWords(row.body_html, MAX_WORDS)];
    return { subject, body: [`${subject}.`, ...text, link], why: `You get this email because ${why}.` };
  };

export const aboutNotifications = {
  comment_reply: letterAbout("a comment of yours got a reply"),
  article_comment: letterAbout("an article or an episode of yours got a comment"),
  mention: letterAbout("you turned on emails about mentions of you"),
};
