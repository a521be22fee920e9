import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { Context } from "../context.ts";
import { privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { linkHeader } from "../http/links.ts";
import { errors, LINK_HEADER, listPage, ok } from "../http/schema.ts";
import { OWN_ARTICLE_EXAMPLE } from "./examples.ts";
import { type Own, own } from "./me-queries.ts";
import { OwnArticle } from "./write-schema.ts";
import * as view from "./view.ts";

const OwnList = Type.Object(listPage({ default: 30, max: 1000 }));
type OwnList = Static<typeof OwnList>;

const LISTS: { path: string; which: Own; operationId: string; summary: string }[] = [
  {
    path: "/api/articles/me",
    which: "published",
    operationId: "getUserArticles",
    summary: "The caller's published articles",
  },
  {
    path: "/api/articles/me/published",
    which: "published",
    operationId: "getUserPublishedArticles",
    summary: "The caller's published articles, by another address",
  },
  {
    path: "/api/articles/me/unpublished",
    which: "unpublished",
    operationId: "getUserUnpublishedArticles",
    summary: "The caller's drafts and unpublished articles",
  },
  {
    path: "/api/articles/me/all",
    which: "all",
    operationId: "getUserAllArticles",
    summary: "All articles of the caller",
  },
];

/** The lists of an author's own articles. */
export function myArticleRoutes(app: App, context: Context): void {
  for (const { path, which, ...described } of LISTS) {
    app.get(
      path,
      {
        config: { access: "key" },
        schema: {
          ...described,
          description:
            "With the bodies as they were written. What has no date of publication comes first, then the newest; scheduled articles are in the list of all only.",
          tags: ["articles"],
          querystring: OwnList,
          response: {
            200: ok(Type.Array(OwnArticle), {
              description: "The caller's articles.",
              example: [OWN_ARTICLE_EXAMPLE],
              headers: LINK_HEADER,
            }),
            ...errors(304, 401, 422, 429, 500, 503),
          },
        },
      },
      async (request, reply) => privateAnswer(request, reply, await list(context, request, which)),
    );
  }
}

async function list(
  { config, db, now }: Context,
  request: FastifyRequest<{ Querystring: OwnList }>,
  which: Own,
) {
  const { page, per_page: limit } = request.query;
  const { baseUrl } = config;
  // One more than asked for tells whether there is a next page.
  const part = { which, limit: limit + 1, offset: (page - 1) * limit };
  const rows = await own(db.main, caller(request).id, part);
  const items = rows.slice(0, limit).map((row) => view.ownArticle(row, { baseUrl, now: now() }));
  const headers = linkHeader({
    request,
    baseUrl,
    first: { page: 1 },
    prev: page > 1 ? { page: page - 1 } : undefined,
    next: rows.length > limit ? { page: page + 1 } : undefined,
  });
  return { body: JSON.stringify(items), headers };
}
