import { createHash } from "node:crypto";
import { dash } from "../text/slug.ts";
import type { Found, Stranger } from "./reader.ts";
import { apart } from "./things.ts";
import { type Library, nameOf } from "./wordpress-library.ts";
import { postHtml } from "./wordpress-text.ts";
import { dateIn, textIn, type Texts, type WxrItem } from "./wxr.ts";

const idIn = (comment: Texts) => Number(textIn(comment, "wp:comment_id")) || 0;

/** The approved comments of a post. By ids: a parent has a lower one. */
export function* commentsOf({ texts, comments }: WxrItem, library: Library): Generator<Found> {
  for (const comment of comments.toSorted((one, other) => idIn(one) - idIn(other))) {
    const remark = faultOf(comment);
    if (remark !== undefined) {
      yield { remark };
      continue;
    }
    const [article, ref] = [textIn(texts, "wp:post_id"), textIn(comment, "wp:comment_id")];
    const find = () => ({
      article,
      ref,
      parent: textIn(comment, "wp:comment_parent"),
      author: commenterOf(comment, library),
      body: { html: postHtml(textIn(comment, "wp:comment_content"), () => []).html },
      created_at: dateIn(comment, "wp:comment_date"),
    });
    yield* apart(`${ref} on ${article}`, () => [{ comment: find() }], "comment");
  }
}

function faultOf(comment: Texts): string | undefined {
  const type = textIn(comment, "wp:comment_type");
  if (!["", "comment"].includes(type)) return "a pingback, trackback or note is left out";
  if (textIn(comment, "wp:comment_approved") === "1") return undefined;
  return "a comment that isn't approved is left out";
}

/** Of the beginning of a username, whose end tells people with the same name apart. */
const MAX_STEM = 13;

/** An address in a comment proves nothing, so it never leads to a user of this site. */
function commenterOf(comment: Texts, { authorWithId }: Library): Stranger {
  const author = authorWithId(textIn(comment, "wp:comment_user_id"));
  if (author) return author;
  const name = nameOf(textIn(comment, "wp:comment_author"), "Anonymous");
  const key = [name, textIn(comment, "wp:comment_author_email").toLowerCase()].join("\0");
  const digits = createHash("sha256").update(key).digest("hex").slice(0, 6);
  return { username: `${dash(name).slice(0, MAX_STEM) || "reader"}_${digits}`, name, isCommenter: true };
}
