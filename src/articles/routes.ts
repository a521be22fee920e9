import type { FastifyRequest } from "fastify";
import { type Fragment, fragmentOf } from "../cache.ts";
import type { Context, Services } from "../context.ts";
import { type Answer, answer, type Asked } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { atHand } from "../http/at-hand.ts";
import { isForemClient, VENDOR_TYPE } from "../http/forem-compat.ts";
import { type Cut, pageLinks, type Part } from "../http/pages.ts";
import { listed } from "../http/schema.ts";
import * as organizations from "../organizations/organizations.ts";
import { OrganizationName } from "../organizations/schema.ts";
import type { Ref, SearchPage } from "../search/find.ts";
import { SUMMARY_EXAMPLE, VIDEO_EXAMPLE } from "./examples.ts";
import type { OrderName } from "./lists/orders.ts";
import { find, list, listOf, listVideos, sourceOf } from "./lists/page.ts";
import * as queries from "./queries.ts";
import { arrayOf, rowsWithVideos, summaries } from "./reading.ts";
import {
  ArticleList,
  ArticlePages,
  ArticleSearch,
  ArticleSummary,
  LatestArticles,
  VideoArticle,
  VideoList,
} from "./schema.ts";
import * as view from "./view.ts";

const success = {
  description: "The response contains published articles; it is an empty array if none matches.",
  example: [SUMMARY_EXAMPLE],
};

export function articleRoutes(app: App, context: Context, services: Services): void {
  searchRoute(app, context, services);
  listRoutes(app, context, services);
}

const SEARCH_MATCH =
  "`exact` if some article has all words as typed, `similar` if one has them with misspelt words corrected, otherwise `partial`. Only with `q`.";

function searchRoute(app: App, context: Context, services: Services): void {
  const inMemory = atHand(context, services);
  app.get(
    "/api/articles/search",
    {
      config: { access: "public", isSearch: true, atHand: (asked) => search(...inMemory, asked) },
      schema: {
        operationId: "getArticles",
        summary: "Search articles",
        description:
          "Full-text search in published articles, best match first. With `top`, most popular first; without `q`, all articles, hottest first. The `next` link leads to the next page.",
        tags: ["articles"],
        querystring: ArticleSearch,
        response: listed(ArticleSummary, {
          ...success,
          headers: { "X-Search-Match": SEARCH_MATCH },
          types: [VENDOR_TYPE],
        }),
      },
    },
    (request, reply) => answer(request, reply, () => search(context, services, request)),
  );
}

async function search(context: Context, services: Services, asked: Asked<ArticleSearch>): Promise<Answer> {
  const { q, tag, top, page, per_page: limit, cursor } = asked.query;
  // Forem counts from 1, and 0 is the first page too.
  const isForem = isForemClient(asked);
  const offset = (isForem ? Math.max(0, page - 1) : page) * limit;
  const first = isForem && page > 0 ? 1 : 0;
  const { cache } = services;
  const key = `found ${JSON.stringify([q, tag, top, limit, offset, cursor])}`;
  const moment = cache.moment();
  const found =
    (cache.get(key) as SearchPage | undefined) ??
    (await find(sourceOf(context, services), { q, tag, top }, { limit, offset, after: cursor }));
  try {
    return {
      ...arrayOf(await itemsOf(context, services, found.rows)),
      headers: {
        ...(q !== undefined && { "x-search-match": found.match }),
        ...pageLinks({ request: asked, baseUrl: context.config.baseUrl, page, first }, found.next),
      },
    };
  } catch (error) {
    // Where the summaries aren't at hand, the route goes on from here.
    cache.put(key, () => found, { moment });
    throw error;
  }
}

/** A search for one article usually wants its body. */
async function itemsOf(context: Context, services: Services, refs: Ref[]): Promise<Fragment[]> {
  const items = await summariesOf(context, services, refs);
  const [only] = refs;
  if (only && items.length === 1) items[0] = await withBody(context, items[0] as Fragment, only.article_id);
  return items;
}

async function withBody({ db }: Context, summary: Fragment, id: number): Promise<Fragment> {
  const body = await queries.bodyOf(db.replica, id);
  if (body === undefined) return summary;
  return fragmentOf(`${summary.json.toString().slice(0, -1)},"body_markdown":${JSON.stringify(body)}}`);
}

const LISTS: {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  order?: OrderName;
  querystring: typeof ArticleList;
}[] = [
  {
    path: "/api/articles",
    operationId: "listArticles",
    summary: "List published articles",
    description:
      "Published articles, hottest first. Filters combine. The first of `sort`, `collection_id`, `top`, `state`, `tags` or `tags_exclude`, `tag`, `username` that is given determines the order.",
    querystring: ArticleList,
  },
  {
    path: "/api/articles/latest",
    operationId: "listLatestArticles",
    summary: "List published articles, newest first",
    description: "The same as the list of published articles, but always newest first.",
    order: "newest",
    querystring: LatestArticles,
  },
];

const ALL_OF_A_PERSON = 1000;

function listRoutes(app: App, context: Context, services: Services): void {
  const response = listed(ArticleSummary, success);
  for (const { path, order, ...described } of LISTS) {
    const schema = { ...described, tags: ["articles"], response };
    app.get(path, { config: { access: "public" }, schema }, (request, reply) =>
      answer(request, reply, async () => {
        const { page, cursor, username, state } = request.query;
        const isOfAPerson = username !== undefined && state === "all";
        const { per_page = isOfAPerson ? ALL_OF_A_PERSON : 30 } = request.query;
        const cut = cutOf({ page, per_page, cursor });
        const found = await list(sourceOf(context, services), request.query, cut, order);
        return listAnswer(context, services, { request, found });
      }),
    );
  }
}

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
        response: listed(ArticleSummary, {
          ...success,
          description: "The response contains published articles; it is an empty array past the last page.",
          refusals: [404],
        }),
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const organizationId = await organizations.find(context.db.replica, request.params.username);
        const source = sourceOf(context, services);
        const found = await listOf(source, { organizationId }, cutOf(request.query));
        return listAnswer(context, services, { request, found });
      }),
  );
}

export function videoRoutes(app: App, context: Context, services: Services): void {
  app.get(
    "/api/videos",
    {
      config: { access: "public" },
      schema: {
        operationId: "listVideos",
        summary: "List articles with a video",
        description:
          "Published articles with a video and a preview image, hottest first, except those with a score of -4 or less.",
        tags: ["videos"],
        querystring: VideoList,
        response: listed(VideoArticle, {
          description:
            "The response contains articles with a video; it is an empty array past the last page.",
          example: [VIDEO_EXAMPLE],
        }),
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const found = await listVideos(sourceOf(context, services), cutOf(request.query));
        const rows = await rowsWithVideos(context.db.replica, found.rows);
        return {
          body: JSON.stringify(rows.map(view.video)),
          headers: pagesBeside(context, { request, found }),
        };
      }),
  );
}

interface Paged {
  page: number;
  per_page: number;
  cursor?: string | undefined;
}

function cutOf({ page, per_page: limit, cursor }: Paged): Cut {
  return { limit, offset: (page - 1) * limit, after: cursor };
}

interface Listed {
  request: FastifyRequest<{ Querystring: Pick<Paged, "page"> }>;
  found: Part<Ref>;
}

async function listAnswer(context: Context, services: Services, listed: Listed): Promise<Answer> {
  const items = await summariesOf(context, services, listed.found.rows);
  return { ...arrayOf(items), headers: pagesBeside(context, listed) };
}

function summariesOf({ config: { baseUrl }, db, now }: Context, { fragments }: Services, refs: Ref[]) {
  return summaries(db.replica, refs, { fragments, baseUrl, now: now() });
}

function pagesBeside({ config: { baseUrl } }: Context, { request, found }: Listed) {
  return pageLinks({ request, baseUrl, page: request.query.page }, found.next);
}
