import { Type } from "typebox";
import type { Author } from "../../http/actor.ts";
import { operations, type Program, type Shown, write } from "../../http/operation.ts";
import { created, emptied, found, VERSION_HEADER } from "../../http/responses.ts";
import { idParameter } from "../../http/schema.ts";
import { articlePath } from "../../platform/paths.ts";
import * as articles from "./articles.ts";
import { WRITTEN_ARTICLE_EXAMPLE } from "./examples.ts";
import { ArticleChange, NewArticle, unwrap } from "./fields.ts";
import type { FullRow } from "./queries.ts";
import * as removal from "./removal.ts";
import { WrittenArticle } from "./schema.ts";
import * as view from "./view.ts";

const idOf = (example: number) => Type.Object({ id: idParameter("The number of the article.", example) });
const NOTE = "The reason of staff, which the author reads who tries to publish the article again.";
/** JSON may write each byte of a body as six (`\u0000`). */
const MAX_REQUEST_BYTES = 5 * 1024 * 1024;

const text = (row: FullRow, { baseUrl, now }: Program) =>
  JSON.stringify(view.article(row, { baseUrl, now: now() }));

const show = ({ row, warnings }: articles.Saved, program: Program): Shown => ({
  body: text(row, program),
  warnings,
});

const headers = VERSION_HEADER;

export const articleWriteRoutes = operations("articles", [
  write({
    path: "POST /api/articles",
    id: "createArticle",
    access: "write",
    summary: "Create an article",
    description:
      "Creates a draft, or publishes the article if `published` or the front matter says so. Unknown attributes are ignored, and named in `warnings`.",
    body: NewArticle,
    bodyLimit: MAX_REQUEST_BYTES,
    answers: created(WrittenArticle, "the article", WRITTEN_ARTICLE_EXAMPLE, { headers }),
    show: (saved: articles.Saved, program) => ({
      location: articlePath(saved.row),
      ...show(saved, program),
    }),
    run: (actor, { body }) => articles.create(actor, { given: unwrap(body) }),
  }),
  write({
    path: "PUT /api/articles/:id",
    id: "updateArticle",
    access: "write",
    summary: "Update an article",
    description:
      "Absent attributes stay as they are. `published` publishes or unpublishes; if only admins may post, others can't publish (401). If the front matter has a title, the front matter takes precedence over all attributes.",
    params: idOf(2),
    body: ArticleChange,
    bodyLimit: MAX_REQUEST_BYTES,
    answers: found(WrittenArticle, "the article", WRITTEN_ARTICLE_EXAMPLE, { headers }),
    version: text,
    show,
    run: (actor, { params, body, ifMatch }) =>
      articles.update(actor, { id: params.id, given: unwrap(body), ifMatch }),
  }),
  write({
    path: "PUT /api/articles/:id/unpublish",
    id: "unpublishArticle",
    access: "write",
    summary: "Unpublish an article",
    description:
      "For its author, moderators and admins. The article can be published again and keeps its path and first publication date; one that staff unpublished only by an admin, until when its author gets a 422. A scheduled article becomes a draft.",
    params: idOf(3),
    query: Type.Object({
      note: Type.Optional(
        Type.String({ maxLength: 1_000, description: NOTE, examples: ["Please name your sources."] }),
      ),
    }),
    answers: emptied("The article is unpublished."),
    version: text,
    run: (actor: Author<boolean>, { params, query, ifMatch }) =>
      articles.unpublish(actor, { id: params.id, reason: query["note"] as string | undefined, ifMatch }),
  }),
  write({
    path: "DELETE /api/articles/:id",
    id: "deleteArticle",
    access: "write",
    summary: "Delete an article",
    description:
      "For its author and admins. The article disappears at once; an operator can restore it for 30 days.",
    params: idOf(5),
    answers: emptied("The article is deleted."),
    run: (actor, { params }) => removal.remove(actor, params.id),
  }),
]);
