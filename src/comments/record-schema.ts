import { type Static, Type } from "typebox";

const Text = Type.String();
const Moment = Type.String({ format: "date-time" });

/** A comment in a community file. */
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
