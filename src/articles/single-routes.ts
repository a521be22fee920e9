import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context, Services } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { notFound } from "../errors.ts";
import { answer, privateAnswer, type Reader } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { callerIfAny } from "../http/auth.ts";
import { CACHE_HEADERS, errors, ok } from "../http/schema.ts";
import { articlePath, pathUnder } from "../paths.ts";
import * as articles from "./articles.ts";
import { ARTICLE_EXAMPLE } from "./examples.ts";
import * as queries from "./queries.ts";
import { Article, ArticleByPath, ArticleId, ArticlePath } from "./schema.ts";
import { isPublic } from "./publication-status.ts";
import * as view from "./view.ts";

type Row = queries.FullRow | undefined;

const config = { access: "public" as const };

const operation = {
  description:
    "A published article, or with a key also an unpublished one that the caller may read: as its author, as an admin of its organization or as an admin of the site.",
  tags: ["articles"],
  response: {
    200: ok(Article, { description: "The article.", example: ARTICLE_EXAMPLE, headers: CACHE_HEADERS }),
    ...errors(304, 401, 404, 422, 429, 500, 503),
  },
};

/** By id, slug, path and `by_path`. */
export function singleArticleRoutes(app: App, context: Context, services: Services): void {
  // Once a list; never a slug.
  app.get("/api/articles/onboarding", { config: { access: "open" }, schema: { hide: true } }, () => {
    throw notFound();
  });

  app.get(
    "/api/articles/by_path",
    {
      config,
      schema: {
        operationId: "getArticleByPath",
        summary: "Get an article by its path in a parameter",
        querystring: ArticleByPath,
        ...operation,
      },
    },
    (request, reply) =>
      send({ context, services }, { request, reply }, (db) =>
        findByPath(db, pathIn(request.query.url, context.config.baseUrl)),
      ),
  );

  app.get(
    "/api/articles/:id",
    {
      config,
      schema: {
        operationId: "getArticle",
        summary: "Get an article by its id or slug",
        params: ArticleId,
        ...operation,
      },
    },
    (request, reply) =>
      send({ context, services }, { request, reply }, (db) => findByName(db, request.params.id)),
  );
  byUsernameAndSlug(app, context, services);
}

function byUsernameAndSlug(app: App, context: Context, services: Services): void {
  app.get(
    "/api/articles/:username/:slug",
    {
      config,
      schema: {
        operationId: "getArticleByUsernameAndSlug",
        summary: "Get an article by its path",
        params: ArticlePath,
        ...operation,
      },
    },
    (request, reply) => {
      const { username, slug } = request.params;
      return send({ context, services }, { request, reply }, (db) =>
        findByPath(db, pathUnder(username, slug)),
      );
    },
  );
}

/** People paste whole addresses. */
function pathIn(url: string, baseUrl: string): string {
  return url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
}

const MAX_ID = 2_147_483_647;

/** A number is an id; other texts are slugs, or paths in one segment. */
async function findByName(db: Db, name: string): Promise<Row> {
  if (/^(0|[1-9]\d*)$/.test(name))
    return Number(name) <= MAX_ID ? queries.findById(db, Number(name)) : undefined;
  return name.includes("/") ? findByPath(db, `/${name}`) : queries.findBySlug(db, name);
}

/** Also former paths, in any case. */
async function findByPath(db: Db, path: string): Promise<Row> {
  const [username, slug, ...rest] = path.toLowerCase().replace(/^\//, "").split("/");
  if (!username || !slug || rest.length > 0) return undefined;
  const current = pathUnder(username, slug);
  const row = await queries.findBySlug(db, slug);
  if (row && articlePath(row) === current) return row;
  return queries.findByRetiredPath(db, current);
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Public articles for everyone, others for their readers. */
async function send(
  { context: { config, db, now }, services }: { context: Context; services: Services },
  { request, reply }: Exchange,
  find: (db: Db) => Promise<Row>,
) {
  const show = (row: queries.FullRow) => ({
    body: JSON.stringify(view.article(row, { baseUrl: config.baseUrl, now: now() })),
  });
  const caller = callerIfAny(request);
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
    const { id, author_id } = row;
    return { ...show(row), onSent: (reader) => noteRead(services, reader, { id, author_id, at: now() }) };
  });
}

/** Also for a 304. */
function noteRead(
  { views }: Services,
  { method, ip: address, headers, caller }: Reader,
  { id, author_id, at }: { id: number; author_id: number; at: Date },
): void {
  if (method !== "GET") return;
  views.note({ articleId: id, authorId: author_id, viewerId: caller?.id, address, headers, at });
}
