import { type Static, Type } from "typebox";
import { idAsText, listPage, text, timestamp, withWarnings } from "../../http/schema.ts";
import { Author } from "../users/schema.ts";

const PARAMETERS = listPage({ default: 50, max: 1000 });

export const CommentList = Type.Object({
  a_id: idAsText("The id of an article, for its comments. Either this or `p_id` is required.", 18),
  p_id: idAsText("The id of a podcast episode, for its comments.", 3),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: "The page number, starting from 1. Without it the response has all threads.",
      examples: [1],
    }),
  ),
  per_page: Type.Integer({
    ...PARAMETERS.per_page,
    description: "Threads per page. Ignored without `page`.",
  }),
});
export type CommentList = Static<typeof CommentList>;

export const commentId = (example: string) =>
  Type.Object({
    id_code: Type.String({
      description: "The `id_code` of the comment, in any case.",
      examples: [example],
    }),
  });

export const Comment = Type.Object(
  {
    type_of: Type.Literal("comment", { description: "The type of the resource." }),
    id_code: text("The id of the comment in base 26, with the digits 0-9 and a-p."),
    created_at: timestamp("When the comment was written."),
    body_html: Type.Optional(
      text("The comment as sanitised HTML. Absent when the comment is deleted or hidden."),
    ),
    user: Type.Optional(Author),
    deleted: Type.Optional(
      Type.Literal(true, {
        description: "Present when the comment was deleted by its author or a moderator.",
      }),
    ),
    hidden: Type.Optional(
      Type.Literal(true, {
        description: "Present when the comment was hidden by the author of the article or a moderator.",
      }),
    ),
    children: Type.Array(Type.Unsafe({ "x-named": "Comment" }), {
      description: "The replies, oldest first.",
    }),
  },
  { title: "Comment", description: "A comment with its replies." },
);

export const WrittenComment = withWarnings(Comment, "WrittenComment", "A comment after a write.");
