import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { Context, Services } from "../context.ts";
import { notFound } from "../errors.ts";
import { type Answer, answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { CACHE_HEADERS, errors, LINK_HEADER, ok } from "../http/schema.ts";
import * as organizations from "../organizations/organizations.ts";
import { OrganizationName } from "../organizations/schema.ts";
import { SUMMARY_EXAMPLE } from "./examples.ts";
import { links, listed, sourceOf, summariesOf } from "./list-answers.ts";
import { listNewest } from "./lists.ts";
import { ArticlePages, ArticleSummary } from "./schema.ts";

/** What organizations have published. */
export function organizationArticleRoutes(app: App, context: Context, services: Services): void {
  app.get(
    "/api/organizations/:username/articles",
    {
      config: { access: "public" },
      schema: {
        operationId: "getOrganizationArticles",
        summary: "List an organization's articles",
        description: "Articles published for the organization, newest first.",
        tags: ["organizations"],
        params: OrganizationName,
        querystring: ArticlePages,
        response: {
          200: ok(Type.Array(ArticleSummary), {
            description: "Published articles; an empty array past the last page.",
            example: [SUMMARY_EXAMPLE],
            headers: { ...CACHE_HEADERS, ...LINK_HEADER },
          }),
          ...errors(304, 401, 404, 422, 429, 500, 503),
        },
      },
    },
    (request, reply) => answer(request, reply, () => list(context, services, request)),
  );
}

type Request = FastifyRequest<{
  Params: Static<typeof OrganizationName>;
  Querystring: Static<typeof ArticlePages>;
}>;

async function list(context: Context, services: Services, request: Request): Promise<Answer> {
  const { page: index, per_page: limit, cursor } = request.query;
  const id = await organizations.find(context.db.replica, request.params.username);
  if (id === undefined) throw notFound();
  const cut = { limit, offset: (index - 1) * limit, cursor };
  const page = await listNewest(sourceOf(context, services), { organizationId: id }, cut);
  const items = await summariesOf(context, services, page.rows);
  return {
    ...listed(items),
    headers: links(context, request, { page, index, first: 1 }),
  };
}
