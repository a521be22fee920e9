import { type Static, Type } from "typebox";
import { listPage, Timestamp } from "../http/schema.ts";
import { Author } from "../users/schema.ts";

const PARAMETERS = listPage({ default: 50, max: 1000 });

const named = (description: string) =>
  Type.Optional(Type.String({ description, examples: ["41"], "x-any-text": true }));

/** A whole number as text: what isn't one names nothing, and that is a 404. */
export const CommentList = Type.Object({
  a_id: named("The number of the article whose comments these are. Give this or `p_id`."),
  p_id: named("The number of the podcast episode whose comments these are."),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: "The page, counted from 1. Without it the answer holds all threads.",
    }),
  ),
  per_page: Type.Integer({
    ...PARAMETERS.per_page,
    description: "Threads per page; has no effect without `page`.",
  }),
});
export type CommentList = Static<typeof CommentList>;

export const CommentId = Type.Object({
  id_code: Type.String({
    description: "The comment's `id_code`; case makes no difference.",
  }),
});

/** A comment with everything below it. */
export const Comment = Type.Object(
  {
    type_of: Type.Literal("comment"),
    id_code: Type.String({ description: "The comment's number in base 26, with the digits 0-9 and a-p." }),
    created_at: Timestamp,
    body_html: Type.Optional(
      Type.String({ description: "Safe to show. Left out when the comment is deleted or hidden." }),
    ),
    user: Type.Optional(Author),
    deleted: Type.Optional(
      Type.Literal(true, {
        description: "Present when its author, or somebody who looks after the site, took it back.",
      }),
    ),
    hidden: Type.Optional(
      Type.Literal(true, {
        description: "Present when the author of the article, or whoever runs the site, hid it.",
      }),
    ),
    children: Type.Array(Type.Unsafe({ "x-named": "Comment" }), {
      description: "The answers to it, the oldest first.",
    }),
  },
  { title: "Comment" },
);
