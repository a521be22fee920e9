import type { Caller } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { notFound } from "../../platform/errors.ts";
import type { Answer } from "../../http/answers.ts";
import { type Mount, operations, type Program, read } from "../../http/operation.ts";
import { found } from "../../http/responses.ts";
import { pathUnder } from "../../platform/paths.ts";
import * as articles from "./articles.ts";
import { ARTICLE_EXAMPLE } from "./examples.ts";
import type { FullRow } from "./queries.ts";
import { findByName, findByPath, noteRead } from "./reading.ts";
import { Article, ArticleByPath, ArticleId, ArticlePath } from "./schema.ts";
import { isPublic } from "./publication-status.ts";
import * as view from "./view.ts";

const described = {
  access: "public",
  description:
    "A published article, or with a key also an unpublished one that the caller may read: as its author, as an admin of its organization or as an admin of the site.",
  answers: found(Article, "the article", ARTICLE_EXAMPLE, { refusals: [404, 422] }),
} as const;

export const singleArticleRoutes = operations("articles", [
  read({
    ...described,
    path: "GET /api/articles/by_path",
    id: "getArticleByPath",
    summary: "Get an article by its path in a parameter",
    query: ArticleByPath,
    ...showing<{ query: { url: string } }>((db, { query }, { baseUrl }) =>
      findByPath(db, pathIn(query.url, baseUrl)),
    ),
  }),
  read({
    ...described,
    path: "GET /api/articles/:id",
    id: "getArticle",
    summary: "Get an article by its id or slug",
    params: ArticleId,
    ...showing<{ params: { id: string } }>((db, { params }) => findByName(db, params.id)),
  }),
  read({
    ...described,
    path: "GET /api/articles/:username/:slug",
    id: "getArticleByUsernameAndSlug",
    summary: "Get an article by its path",
    params: ArticlePath,
    ...showing<{ params: { username: string; slug: string } }>((db, { params }) =>
      findByPath(db, pathUnder(params.username, params.slug)),
    ),
  }),
]);

/** This was a list once, and is never a slug. */
export const formerArticleRoutes: Mount = (app) => {
  app.get("/api/articles/onboarding", { config: { access: "open" }, schema: { hide: true } }, () => {
    throw notFound();
  });
};

/** People paste whole addresses. */
function pathIn(url: string, baseUrl: string): string {
  return url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
}

type Find<Asking> = (db: Db, asked: Asking, program: Program) => Promise<FullRow | undefined>;

/** Shows everybody public articles, and those who may read them others. */
function showing<Asking>(find: Find<Asking>) {
  return {
    async runFor(asked: Asking & { caller: Caller }, program: Program): Promise<Answer | undefined> {
      const { db, now } = program;
      const row = await find(db.main, asked, program);
      if (row && isPublic(row, now())) return undefined;
      if (!row || !(await articles.isReadableBy(db.main, row, asked.caller))) throw notFound();
      return show(row, program);
    },
    async run(asked: Asking, program: Program): Promise<Answer> {
      const { db, now, views } = program;
      const row = await find(db.replica, asked, program);
      if (!row || !isPublic(row, now())) throw notFound();
      return { ...show(row, program), onSent: (reader) => noteRead(views, reader, { row, at: now() }) };
    },
  };
}

const show = (row: FullRow, { baseUrl, now }: Program): Answer => ({
  body: JSON.stringify(view.article(row, { baseUrl, now: now() })),
});
