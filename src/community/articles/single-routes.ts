import { Type } from "typebox";
import type { Author, Caller } from "../../http/actor.ts";
import { idParameter } from "../../http/schema.ts";
import type { Db } from "../../platform/db/connect.ts";
import { notFound } from "../../platform/errors.ts";
import type { Answer } from "../../http/answers.ts";
import { type Mount, operations, type Program, read, type Shown, write } from "../../http/operation.ts";
import { created, emptied, found, VERSION_HEADER } from "../../http/responses.ts";
import { articlePath, pathUnder } from "../../platform/paths.ts";
import * as articles from "./articles.ts";
import { ARTICLE_EXAMPLE, WRITTEN_ARTICLE_EXAMPLE } from "./examples.ts";
import { ArticleChange, NewArticle, unwrap } from "./fields.ts";
import type { FullRow } from "./queries.ts";
import { findByName, findByPath, noteRead } from "./reading.ts";
import * as removal from "./removal.ts";
import { Article, ArticleByPath, ArticleId, ArticlePath, WrittenArticle } from "./schema.ts";
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
      return { body: text(row, program) };
    },
    async run(asked: Asking, program: Program): Promise<Answer> {
      const { db, now, views } = program;
      const row = await find(db.replica, asked, program);
      if (!row || !isPublic(row, now())) throw notFound();
      return { body: text(row, program), onSent: (reader) => noteRead(views, reader, { row, at: now() }) };
    },
  };
}

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
