import { type Static, Type } from "typebox";
import { invalid } from "../errors.ts";
import { MAX_RECORD_ID } from "../records/identity.ts";
import type { Entry } from "../records/record-type.ts";
import { quote } from "../text/quote.ts";
import { checkLength, checkMarkdown } from "./body.ts";
import { idOf } from "./id-codes.ts";
import type { Existing, Likeness } from "./record-queries.ts";

const Text = Type.String();
const Moment = Type.String({ format: "date-time" });

export const CommentRecord = Type.Object({
  id_code: Type.Optional(
    Type.String({
      pattern: "^[1-9a-p][0-9a-p]{0,6}$",
      description: "a number in base 26 of the digits 0-9 and a-p, such as m35m",
    }),
  ),
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  author: Type.Optional(
    Type.String({ description: "left out of a deleted comment whose author's account was deleted" }),
  ),
  article: Type.Optional(Text),
  episode: Type.Optional(Text),
  body_markdown: Text,
  parent: Type.Optional(Text),
  created_at: Type.Optional(Moment),
  edited_at: Type.Optional(Moment),
  deleted: Type.Optional(Type.Boolean({ default: false })),
  hidden: Type.Optional(Type.Boolean({ default: false })),
  score: Type.Optional(Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 })),
});
export type CommentRecord = Static<typeof CommentRecord>;

export interface Checked extends Likeness {
  entry: Entry<CommentRecord>;
  wantedId: number | undefined;
}

interface Resolved {
  entry: Entry<CommentRecord>;
  ids: Record<"author" | "article" | "episode", number | undefined>;
}

/**
 * Checks a record alone.
 * @throws AppError invalid
 */
export function check({ entry, ids }: Resolved): Checked {
  const { author, article, episode, body_markdown, created_at, id_code, deleted } = entry.fields;
  if ((article === undefined) === (episode === undefined)) {
    throw invalid("it must name either an article or an episode");
  }
  checkBody(entry.fields);
  if (author === undefined && (!deleted || body_markdown !== "")) {
    throw invalid("author is missing: only a deleted comment with an empty body_markdown may lack it");
  }
  const wantedId = id_code === undefined ? undefined : idOf(id_code);
  if (id_code !== undefined && (wantedId === undefined || wantedId > MAX_RECORD_ID)) {
    throw invalid(`id_code ${quote(id_code)} is too large a number: leave it out`);
  }
  return {
    entry,
    wantedId,
    author_id: ids.author ?? null,
    article_id: ids.article ?? null,
    episode_id: ids.episode ?? null,
    created_at: created_at === undefined ? null : new Date(created_at),
    body_markdown,
  };
}

/** A deleted comment may have lost its text elsewhere. */
function checkBody({ body_markdown, deleted }: CommentRecord): void {
  if (deleted) checkLength(body_markdown);
  else checkMarkdown(body_markdown);
}

/** Another comment may have taken the id of a record. */
export function isSameComment(existing: Existing, record: Likeness): boolean {
  return (
    existing.author_id === record.author_id &&
    existing.article_id === record.article_id &&
    existing.episode_id === record.episode_id &&
    (record.created_at === null || existing.created_at.getTime() === record.created_at.getTime())
  );
}

export function isAlike(existing: Existing, record: Likeness): boolean {
  return isSameComment(existing, record) && existing.body_markdown === record.body_markdown;
}
