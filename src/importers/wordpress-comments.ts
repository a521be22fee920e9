import { createHash } from "node:crypto";
import { AppError } from "../errors.ts";
import { dash } from "../text/slug.ts";
import { momentOf } from "./article-values.ts";
import type { CommunityRecord, Found, ReadOptions, Stranger } from "./reader.ts";
import { type Library, nameOf } from "./wordpress-library.ts";
import { postHtml } from "./wordpress-text.ts";
import { dateIn, textIn, type Texts, type WxrItem } from "./wxr.ts";

/** Records of one type are written together, so comments wait for those of later posts. */
const MOST_WAITING = 1_000;

/** The approved comments of posts, in threads. */
export function createComments(library: Library, { people, converter, now }: ReadOptions) {
  let waiting: { stranger: Stranger; record: CommunityRecord }[] = [];
  let count = 0;

  async function* rest(): AsyncGenerator<Found> {
    const records: CommunityRecord[] = [];
    for (const { stranger, record } of waiting) {
      const { username, record: person } = await people.usernameOf(stranger);
      if (person) yield { record: person };
      records.push({ ...record, author: username });
    }
    waiting = [];
    for (const record of records) yield { record };
  }

  async function* of(item: WxrItem, article: string): AsyncGenerator<Found> {
    /** By ids: a parent has a lower one. */
    const refs = new Map<number, string>();
    for (const comment of item.comments.toSorted((one, other) => idIn(one) - idIn(other))) {
      const made = faultOf(comment) ?? (await markdownOf(comment));
      if ("fault" in made) {
        yield { remark: made.fault };
        continue;
      }
      const ref = `comment ${(count += 1)}`;
      refs.set(idIn(comment), ref);
      const parent = refs.get(idIn(comment, "wp:comment_parent"));
      const created_at = momentOf(dateIn(comment, "wp:comment_date"), now);
      const record = { type: "comment", ref, article, ...made, created_at, parent };
      waiting.push({ stranger: commenterOf(comment, library), record });
      if (waiting.length >= MOST_WAITING) yield* rest();
    }
  }

  async function markdownOf(comment: Texts): Promise<{ body_markdown: string } | { fault: string }> {
    const { html } = postHtml(textIn(comment, "wp:comment_content"), () => []);
    try {
      const { markdown } = await converter.convert({ html, title: "", base: undefined });
      return markdown.trim() === ""
        ? { fault: "a comment without a text is left out" }
        : { body_markdown: markdown };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      return { fault: "a comment whose HTML can't be read is left out" };
    }
  }

  return { of, rest };
}

const idIn = (comment: Texts, name = "wp:comment_id") => Number(textIn(comment, name)) || 0;

function faultOf(comment: Texts): { fault: string } | undefined {
  const type = textIn(comment, "wp:comment_type");
  if (!["", "comment"].includes(type)) return { fault: "a pingback, trackback or note is left out" };
  if (textIn(comment, "wp:comment_approved") === "1") return undefined;
  return { fault: "a comment that isn't approved is left out" };
}

/** Of the beginning of a username, whose end tells people with the same name apart. */
const MAX_STEM = 13;

/** An address in a comment proves nothing, so it makes nobody a person who is here. */
function commenterOf(comment: Texts, { authorWithId }: Library): Stranger {
  const author = authorWithId(textIn(comment, "wp:comment_user_id"));
  if (author) return author;
  const name = nameOf(textIn(comment, "wp:comment_author"), "Anonymous");
  const key = [name, textIn(comment, "wp:comment_author_email").toLowerCase()].join("\0");
  const digits = createHash("sha256").update(key).digest("hex").slice(0, 6);
  return { username: `${dash(name).slice(0, MAX_STEM) || "reader"}_${digits}`, name };
}
