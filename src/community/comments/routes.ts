import type { Author } from "../../http/actor.ts";
import { operations, type Program, read, type Shown, write } from "../../http/operation.ts";
import { linkHeader } from "../../http/pages.ts";
import { created, emptied, found, listed } from "../../http/responses.ts";
import type { Db } from "../../platform/db/connect.ts";
import { apiPath } from "../../platform/paths.ts";
import { AUTHOR_EXAMPLE } from "../users/schema.ts";
import * as comments from "./comments.ts";
import { CommentChange, NewComment, readChange, readNew } from "./fields.ts";
import { idCode, idOf } from "./id-codes.ts";
import * as reading from "./reading.ts";
import { Comment, CommentList, commentId, WrittenComment } from "./schema.ts";

const EXAMPLE = {
  type_of: "comment",
  id_code: "1",
  created_at: "2026-03-01T08:00:00Z",
  body_html: "<p>The bit about the brown casing saved me an afternoon.</p>\n",
  user: AUTHOR_EXAMPLE,
  children: [
    { type_of: "comment", id_code: "2", created_at: "2026-03-01T09:30:00Z", deleted: true, children: [] },
  ],
};

/** No comment has the number 0. */
const numberOf = ({ id_code }: { id_code: string }) => idOf(id_code) ?? 0;

const show = async ({ id }: { id: number }, { baseUrl }: Program, tx: Db): Promise<Shown> => ({
  body: await reading.findOne(tx, idCode(id), baseUrl),
});

export const commentRoutes = operations("comments", [
  read({
    path: "GET /api/comments",
    id: "getComments",
    access: "public",
    summary: "List the comments of an article or episode",
    description:
      "Complete threads, oldest first on every level. Trees have at most 50 levels: deeper replies become children of the last level. A response has at most 25,000 comments, from the oldest of the requested threads; if there are more, `Link` names the first or the next page, which may be smaller. An unpublished article or episode is 404.",
    query: CommentList,
    answers: listed(Comment, "the threads", EXAMPLE, { empty: "if there are none", refusals: [404] }),
    async run(request, { baseUrl, db }) {
      const threads = await reading.list(db.replica, request.query, baseUrl);
      const headers = linkHeader({ request, baseUrl, ...pagesBeside(request.query, threads) });
      return { body: threads.body, headers };
    },
  }),
  read({
    path: "GET /api/comments/:id_code",
    id: "getComment",
    access: "public",
    summary: "Get a comment with its replies",
    description:
      "Any comment, whether it starts a thread or is a reply. At most the 25,000 oldest replies are included.",
    params: commentId("1"),
    answers: found(Comment, "the comment with its replies", EXAMPLE, { refusals: [422] }),
    run: async ({ params }, { baseUrl, db }) => ({
      body: await reading.findOne(db.replica, params.id_code, baseUrl),
    }),
  }),
  write({
    path: "POST /api/comments",
    id: "createComment",
    access: "write",
    summary: "Write a comment",
    description:
      "Comments on a published article or episode, or answers a comment on it. At most 10 comments in 30 seconds, and 5 in 5 minutes within 3 days of registering on the site.",
    body: NewComment,
    answers: created(WrittenComment, "the comment", EXAMPLE, { refusals: [404] }),
    show: async (made: { id: number }, program, tx) => ({
      location: apiPath("comments", idCode(made.id)),
      ...(await show(made, program, tx)),
    }),
    run: (actor, { body }) => comments.create(actor, readNew(body)),
  }),
  write({
    path: "PUT /api/comments/:id_code",
    id: "updateComment",
    access: "write",
    summary: "Edit a comment",
    description: "For its author. Comments of other users and deleted ones are 404.",
    params: commentId("9"),
    body: CommentChange,
    answers: found(WrittenComment, "the comment with its replies", EXAMPLE),
    show,
    run: (actor, { params, body }) =>
      comments.edit(actor, { id: numberOf(params), markdown: readChange(body) }),
  }),
  write({
    path: "DELETE /api/comments/:id_code",
    id: "deleteComment",
    access: "write",
    summary: "Delete a comment",
    description: "For its author, moderators and admins. The replies stay.",
    params: commentId("9"),
    answers: emptied("The comment is deleted."),
    run: (actor: Author<boolean>, { params }) => comments.remove(actor, numberOf(params)),
  }),
]);

/** An incomplete answer without pages links to the first page. */
function pagesBeside(
  { page, per_page }: CommentList,
  { next, isCut }: Awaited<ReturnType<typeof reading.list>>,
) {
  if (page === undefined) return isCut ? { first: { page: 1 } } : {};
  const isDivided = next !== undefined && next.per_page !== per_page;
  return {
    first: { page: 1 },
    prev: page > 1 ? { page: page - 1 } : undefined,
    next: next && (isDivided ? next : { page: next.page }),
  };
}
