import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type Fragment, fragmentOf } from "../cache/fragments.ts";
import type { Context, Services } from "../context.ts";
import { type Answer, answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { VENDOR_TYPE } from "../http/media-type.ts";
import { isForemClient } from "../http/profile.ts";
import { CACHE_HEADERS, errors, LINK_HEADER, ok } from "../http/schema.ts";
import { SUMMARY_EXAMPLE } from "./examples.ts";
import { links, listed, sourceOf, summariesOf } from "./list-answers.ts";
import { find, list } from "./lists.ts";
import type { OrderName } from "./orders.ts";
import * as queries from "./queries.ts";
import { ArticleList, ArticleSearch, ArticleSummary } from "./schema.ts";

const tags = ["articles"];
const refusals = errors(304, 401, 422, 429, 500, 503);

const success = {
  description: "Published articles; an empty array if none matches.",
  example: [SUMMARY_EXAMPLE],
  headers: { ...CACHE_HEADERS, ...LINK_HEADER },
};

/** Search and the lists of published articles. */
export function articleRoutes(app: App, context: Context, services: Services): void {
  searchRoute(app, context, services);
  for (const described of LISTS) listRoute(app, { context, services }, described);
}

function searchRoute(app: App, context: Context, services: Services): void {
  const headers = { ...success.headers, "X-Search-Match": SEARCH_MATCH };
  const found = ok(Type.Array(ArticleSummary), { ...success, headers, types: [VENDOR_TYPE] });
  app.get(
    "/api/articles/search",
    {
      config: { access: "public", isSearch: true },
      schema: {
        operationId: "getArticles",
        summary: "Search articles",
        description:
          "Full-text search in published articles, best match first. With `top`, most popular first; without `q`, all articles, hottest first. The `next` link leads to the next page.",
        tags,
        querystring: ArticleSearch,
        response: { 200: found, ...refusals },
      },
    },
    (request, reply) => answer(request, reply, () => search(context, services, request)),
  );
}

interface Described {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** The order, whatever the filters. */
  order?: OrderName;
}

const LISTS: Described[] = [
  {
    path: "/api/articles",
    operationId: "listArticles",
    summary: "List published articles",
    description:
      "Published articles, hottest first. Filters combine. The first of `sort`, `collection_id`, `top`, `state`, `tags` or `tags_exclude`, `tag`, `username` that is given determines the order.",
  },
  {
    path: "/api/articles/latest",
    operationId: "listLatestArticles",
    summary: "List published articles, newest first",
    description: "The same as the list of published articles, but always newest first.",
    order: "newest",
  },
];

function listRoute(
  app: App,
  { context, services }: { context: Context; services: Services },
  { path, order, ...described }: Described,
): void {
  app.get(
    path,
    {
      config: { access: "public" },
      schema: {
        ...described,
        tags,
        querystring: ArticleList,
        response: { 200: ok(Type.Array(ArticleSummary), success), ...refusals },
      },
    },
    (request, reply) => answer(request, reply, () => listArticles(context, services, { request, order })),
  );
}

const SEARCH_MATCH =
  "`exact`, or `similar` if nothing matched the words as typed and misspelt ones were corrected. Only with `q`.";

type ListRequest = FastifyRequest<{ Querystring: ArticleList }>;
type SearchRequest = FastifyRequest<{ Querystring: ArticleSearch }>;

/** A person's whole work is asked for at once. */
const ALL_OF_A_PERSON = 1000;

async function listArticles(
  context: Context,
  services: Services,
  { request, order }: { request: ListRequest; order: OrderName | undefined },
): Promise<Answer> {
  const { query } = request;
  const isWholeWork = query.username !== undefined && query.state === "all";
  const limit = query.per_page ?? (isWholeWork ? ALL_OF_A_PERSON : 30);
  const cut = { limit, offset: (query.page - 1) * limit, cursor: query.cursor };
  const page = await list(sourceOf(context, services), query, cut, order);
  const items = await summariesOf(context, services, page.rows);
  return {
    ...listed(items),
    headers: links(context, request, { page, index: query.page, first: 1 }),
  };
}

async function search(context: Context, services: Services, request: SearchRequest): Promise<Answer> {
  const { q, tag, top, page: asked, per_page: limit, cursor } = request.query;
  // Clients written for Forem count from 1 and know 0 as another name of the first page.
  const index = isForemClient(request) ? Math.max(0, asked - 1) : asked;
  const source = sourceOf(context, services);
  const page = await find(source, { q, tag, top }, { limit, offset: index * limit, cursor });
  const items = await summariesOf(context, services, page.rows);
  const [only] = page.rows;
  if (only && items.length === 1) items[0] = await withBody(context, items[0] as Fragment, only.article_id);
  return {
    ...listed(items),
    headers: {
      ...(q !== undefined && { "x-search-match": page.isSimilar ? "similar" : "exact" }),
      ...links(context, request, { page, index: asked, first: index === asked ? 0 : 1 }),
    },
  };
}

/** The same summary with the article's body, which a search for one article is usually for. */
async function withBody({ db }: Context, summary: Fragment, id: number): Promise<Fragment> {
  const body = await queries.bodyOf(db.replica, id);
  if (body === undefined) return summary;
  return fragmentOf(`${summary.json.toString().slice(0, -1)},"body_markdown":${JSON.stringify(body)}}`);
}
