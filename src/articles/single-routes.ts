import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context, Services } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { notFound } from "../errors.ts";
import { answer, privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { found } from "../http/schema.ts";
import { pathUnder } from "../paths.ts";
import * as articles from "./articles.ts";
import { ARTICLE_EXAMPLE } from "./examples.ts";
import type { FullRow } from "./queries.ts";
import { findByName, findByPath, noteRead } from "./reading.ts";
import { Article, ArticleByPath, ArticleId, ArticlePath } from "./schema.ts";
import { isPublic } from "./publication-status.ts";
import * as view from "./view.ts";

const config = { access: "public" as const };

const operation = {
  description:
    "A published article, or with a key also an unpublished one that the caller may read: as its author, as an admin of its organization or as an admin of the site.",
  tags: ["articles"],
  response: found(Article, {
    description: "The response contains the article.",
    example: ARTICLE_EXAMPLE,
    refusals: [404, 422],
  }),
};

/** Gives an article by its id, slug or path, or by `by_path`. */
export function singleArticleRoutes(app: App, context: Context, services: Services): void {
  const send = sender(context, services);
  // This was a list once, and is never a slug.
  app.get("/api/articles/onboarding", { config: { access: "open" }, schema: { hide: true } }, () => {
    throw notFound();
  });
  const byPath = {
    operationId: "getArticleByPath",
    summary: "Get an article by its path in a parameter",
    querystring: ArticleByPath,
    ...operation,
  };
  app.get("/api/articles/by_path", { config, schema: byPath }, (request, reply) =>
    send(request, reply, (db) => findByPath(db, pathIn(request.query.url, context.config.baseUrl))),
  );
  const byName = {
    operationId: "getArticle",
    summary: "Get an article by its id or slug",
    params: ArticleId,
    ...operation,
  };
  app.get("/api/articles/:id", { config, schema: byName }, (request, reply) =>
    send(request, reply, (db) => findByName(db, request.params.id)),
  );
  const byUsernameAndSlug = {
    operationId: "getArticleByUsernameAndSlug",
    summary: "Get an article by its path",
    params: ArticlePath,
    ...operation,
  };
  app.get("/api/articles/:username/:slug", { config, schema: byUsernameAndSlug }, (request, reply) => {
    const { username, slug } = request.params;
    return send(request, reply, (db) => findByPath(db, pathUnder(username, slug)));
  });
}

/** People paste whole addresses. */
function pathIn(url: string, baseUrl: string): string {
  return url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
}

/** Answers everybody with public articles, and those who may read them with others. */
function sender({ config: { baseUrl }, db, now }: Context, { views }: Services) {
  const show = (row: FullRow) => ({ body: JSON.stringify(view.article(row, { baseUrl, now: now() })) });
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    find: (db: Db) => Promise<FullRow | undefined>,
  ) => {
    const { caller } = request;
    if (caller) {
      const row = await find(db.main);
      if (!row || !isPublic(row, now())) {
        if (!row || !(await articles.isReadableBy(db.main, row, caller))) throw notFound();
        return privateAnswer(request, reply, show(row));
      }
    }
    return answer(request, reply, async () => {
      const row = await find(db.replica);
      if (!row || !isPublic(row, now())) throw notFound();
      return { ...show(row), onSent: (reader) => noteRead(views, reader, { row, at: now() }) };
    });
  };
}
