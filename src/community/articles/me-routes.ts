import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { privateAnswer } from "../../http/answers.ts";
import { caller } from "../../http/auth.ts";
import { isForemClient, mediaType, toForem } from "../../http/negotiation.ts";
import { operation, operations, responsesOfRead } from "../../http/operation.ts";
import { pageLinks } from "../../http/pages.ts";
import { listed } from "../../http/responses.ts";
import { listPage } from "../../http/schema.ts";
import { OWN_ARTICLE_EXAMPLE } from "./examples.ts";
import { type Own, ownPage, ownRows } from "./own-list.ts";
import { OwnArticle } from "./schema.ts";
import * as view from "./view.ts";

const OwnList = Type.Object(listPage({ default: 30, max: 1000 }));

export const myArticleRoutes = operations("articles", [
  own("published", {
    path: "GET /api/articles/me",
    id: "listMyArticles",
    summary: "List the caller's published articles",
  }),
  own("published", {
    path: "GET /api/articles/me/published",
    id: "listMyPublishedArticles",
    summary: "List the caller's published articles (alias)",
  }),
  own("unpublished", {
    path: "GET /api/articles/me/unpublished",
    id: "listMyUnpublishedArticles",
    summary: "List the caller's drafts and unpublished articles",
  }),
  own("all", {
    path: "GET /api/articles/me/all",
    id: "listAllMyArticles",
    summary: "List all articles of the caller",
  }),
]);

interface Named {
  path: `GET /${string}`;
  id: string;
  summary: string;
}

function own(which: Own, named: Named) {
  return operation({
    ...named,
    access: "key",
    description:
      "Articles with their bodies as written: first those without a publication date, then newest first. Only the list of all articles includes scheduled ones.",
    query: OwnList,
    responses: responsesOfRead({
      access: "key",
      answers: listed(OwnArticle, "the caller's articles", OWN_ARTICLE_EXAMPLE),
    }),
    async run(request, reply, { baseUrl, db, now }) {
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
  });
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
