import { operations, read } from "../../http/operation.ts";
import { linkHeader } from "../../http/pages.ts";
import { found, listed } from "../../http/responses.ts";
import { AUTHOR_EXAMPLE } from "../users/schema.ts";
import * as reading from "./reading.ts";
import { Comment, CommentId, CommentList } from "./schema.ts";

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
    params: CommentId,
    answers: found(Comment, "the comment with its replies", EXAMPLE, { refusals: [422] }),
    run: async ({ params }, { baseUrl, db }) => ({
      body: await reading.findOne(db.replica, params.id_code, baseUrl),
    }),
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
