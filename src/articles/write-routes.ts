import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../context.ts";
import type { App } from "../http/app-type.ts";
import { ifMatch } from "../http/answers.ts";
import type { RunWrite, WriteResult } from "../http/run-write.ts";
import { errors, idParameter, none, ok, VERSION_HEADER } from "../http/schema.ts";
import { articlePath } from "../paths.ts";
import * as articles from "./articles.ts";
import { WRITTEN_ARTICLE_EXAMPLE } from "./examples.ts";
import { ArticleChange, NewArticle, unwrap } from "./fields.ts";
import type { FullRow } from "./queries.ts";
import * as removal from "./removal.ts";
import { WrittenArticle } from "./schema.ts";
import * as view from "./view.ts";

const tags = ["articles"];
const idOf = (example: number) => Type.Object({ id: idParameter("The number of the article.", example) });
/** JSON may write each byte of a body as six (`\u0000`). */
const MAX_REQUEST_BYTES = 5 * 1024 * 1024;
const NOTHING: WriteResult = { status: 204, body: "" };

const written = (description: string, headers: Record<string, string> = {}) =>
  ok(WrittenArticle, {
    description,
    example: WRITTEN_ARTICLE_EXAMPLE,
    headers: { ...headers, ...VERSION_HEADER },
  });

const viewOf = (row: FullRow, { config, now }: Context) =>
  view.article(row, { baseUrl: config.baseUrl, now: now() });

const unchanged = (request: FastifyRequest, context: Context) =>
  ifMatch(request, (row: FullRow) => JSON.stringify(viewOf(row, context)));

const show = ({ row, warnings }: articles.Saved, context: Context): Omit<WriteResult, "status"> => ({
  body: JSON.stringify(viewOf(row, context)),
  warnings,
});

export function articleWriteRoutes(app: App, context: Context, runWrite: RunWrite): void {
  createRoute(app, context, runWrite);
  updateRoute(app, context, runWrite);
  unpublishRoute(app, context, runWrite);
  removeRoute(app, runWrite);
}

function createRoute(app: App, context: Context, runWrite: RunWrite): void {
  app.post(
    "/api/articles",
    {
      config: { access: "write", idempotent: true },
      bodyLimit: MAX_REQUEST_BYTES,
      schema: {
        operationId: "createArticle",
        summary: "Create an article",
        description:
          "Creates a draft, or publishes the article if `published` or the front matter says so. Unknown attributes are ignored, and named in `warnings`.",
        tags,
        body: NewArticle,
        response: {
          201: written("The response contains the article.", { Location: "The URL of the new resource." }),
          ...errors(401, 409, 422, 429, 500, 503),
        },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) => articles.create(actor, { given: unwrap(request.body) }),
        show: (saved) => ({
          status: 201,
          headers: { location: context.config.baseUrl + articlePath(saved.row) },
          ...show(saved, context),
        }),
      }),
  );
}

function updateRoute(app: App, context: Context, runWrite: RunWrite): void {
  app.put(
    "/api/articles/:id",
    {
      config: { access: "write", versioned: true },
      bodyLimit: MAX_REQUEST_BYTES,
      schema: {
        operationId: "updateArticle",
        summary: "Update an article",
        description:
          "Absent attributes stay as they are. `published` publishes or unpublishes; if only admins may post, others can't publish (401). If the front matter has a title, the front matter takes precedence over all attributes.",
        tags,
        params: idOf(2),
        body: ArticleChange,
        response: {
          200: written("The response contains the article."),
          ...errors(401, 404, 412, 422, 429, 500, 503),
        },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) =>
          articles.update(actor, {
            id: request.params.id,
            given: unwrap(request.body),
            ifMatch: unchanged(request, context),
          }),
        show: (saved) => ({ status: 200, ...show(saved, context) }),
      }),
  );
}

function unpublishRoute(app: App, context: Context, runWrite: RunWrite): void {
  app.put(
    "/api/articles/:id/unpublish",
    {
      config: { access: "write", versioned: true },
      schema: {
        operationId: "unpublishArticle",
        summary: "Unpublish an article",
        description:
          "For its author, moderators and admins. The article can be published again and keeps its path and first publication date. A scheduled article becomes a draft.",
        tags,
        params: idOf(3),
        response: { 204: none("The article is unpublished."), ...errors(401, 404, 412, 422, 429, 500, 503) },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) =>
          articles.unpublish(actor, { id: request.params.id, ifMatch: unchanged(request, context) }),
        show: () => NOTHING,
      }),
  );
}

function removeRoute(app: App, runWrite: RunWrite): void {
  app.delete(
    "/api/articles/:id",
    {
      config: { access: "write" },
      schema: {
        operationId: "deleteArticle",
        summary: "Delete an article",
        description:
          "For its author and admins. The article disappears at once; an operator can restore it for 30 days.",
        tags,
        params: idOf(5),
        response: { 204: none("The article is deleted."), ...errors(401, 404, 422, 429, 500, 503) },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) => removal.remove(actor, request.params.id),
        show: () => NOTHING,
      }),
  );
}
