import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../context.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { pageLinks } from "../http/pages.ts";
import { privateAnswer } from "../http/answers.ts";
import { isForemClient, mediaType, toForem } from "../http/forem-compat.ts";
import { listPage, ownListed } from "../http/schema.ts";
import { OWN_ARTICLE_EXAMPLE } from "./examples.ts";
import { type Own, ownPage, ownRows } from "./own-list.ts";
import { OwnArticle } from "./schema.ts";
import * as view from "./view.ts";

const OwnList = Type.Object(listPage({ default: 30, max: 1000 }));

const LISTS: { path: string; which: Own; operationId: string; summary: string }[] = [
  {
    path: "/api/articles/me",
    which: "published",
    operationId: "listMyArticles",
    summary: "List the caller's published articles",
  },
  {
    path: "/api/articles/me/published",
    which: "published",
    operationId: "listMyPublishedArticles",
    summary: "List the caller's published articles (alias)",
  },
  {
    path: "/api/articles/me/unpublished",
    which: "unpublished",
    operationId: "listMyUnpublishedArticles",
    summary: "List the caller's drafts and unpublished articles",
  },
  {
    path: "/api/articles/me/all",
    which: "all",
    operationId: "listAllMyArticles",
    summary: "List all articles of the caller",
  },
];

export function myArticleRoutes(app: App, { config, db, now }: Context): void {
  const { baseUrl } = config;
  for (const { path, which, ...described } of LISTS) {
    app.get(
      path,
      {
        config: { access: "key" },
        schema: {
          ...described,
          description:
            "Articles with their bodies as written: first those without a publication date, then newest first. Only the list of all articles includes scheduled ones.",
          tags: ["articles"],
          querystring: OwnList,
          response: ownListed(OwnArticle, {
            description:
              "The response contains the caller's articles; it is an empty array past the last page.",
            example: [OWN_ARTICLE_EXAMPLE],
          }),
        },
      },
      async (request, reply) => {
        const { page, per_page: limit } = request.query;
        const part = { which, limit, offset: (page - 1) * limit };
        const { portions, hasNext } = await ownPage(db.main, caller(request).id, part);
        const headers = pageLinks({ request, baseUrl, page }, hasNext ? { page: page + 1 } : undefined);
        const options = { baseUrl, now: now() };
        const load = async (ids: number[]) =>
          (await ownRows(db.main, ids)).map((row) => JSON.stringify(view.ownArticle(row, options)));
        if (portions.length > 1) return stream(request, reply.headers(headers), { portions, load });
        const items = await load(portions[0] ?? []);
        return privateAnswer(request, reply, { body: `[${items.join(",")}]`, headers });
      },
    );
  }
}

interface Streamed {
  portions: number[][];
  load: (ids: number[]) => Promise<string[]>;
}

/** Sends a list as the client reads it, without an `ETag`. */
function stream(request: FastifyRequest, reply: FastifyReply, list: Streamed): FastifyReply {
  const text = isForemClient(request) ? toForem : (item: string) => item;
  reply.headers({ "cache-control": "private, no-store", vary: "Accept, api-key" });
  return reply.type(mediaType(request)).send(Readable.from(arrayOf(list, text)));
}

async function* arrayOf({ portions, load }: Streamed, text: (item: string) => string) {
  let before = "[";
  for (const ids of portions) {
    for (const item of await load(ids)) {
      yield before + text(item);
      before = ",";
    }
  }
  yield before === "[" ? "[]" : "]";
}
