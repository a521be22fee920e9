import { Type } from "typebox";
import type { Context } from "../context.ts";
import { answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { linkHeader } from "../http/links.ts";
import { CACHE_HEADERS, errors, LINK_HEADER, ok } from "../http/schema.ts";
import * as queries from "./queries.ts";
import { Tag, TagList } from "./schema.ts";
import * as view from "./view.ts";

export function tagRoutes(app: App, { config, db }: Context): void {
  app.get(
    "/api/tags",
    {
      config: { access: "public" },
      schema: {
        operationId: "listTags",
        summary: "Tags",
        description: "All tags, the most used first. Aliases of other tags are left out.",
        tags: ["tags"],
        querystring: TagList,
        response: {
          200: ok(Type.Array(Tag), {
            description: "A page of tags; empty past the end.",
            example: [{ id: 6, name: "javascript", bg_color_hex: "#F7DF1E", text_color_hex: "#000000" }],
            headers: { ...CACHE_HEADERS, ...LINK_HEADER },
          }),
          ...errors(304, 401, 422, 429, 500, 503),
        },
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const { page, per_page } = request.query;
        // One more than asked for tells whether there is a next page.
        const rows = await queries.list(db.replica, { limit: per_page + 1, offset: (page - 1) * per_page });
        const links = linkHeader({
          request,
          baseUrl: config.baseUrl,
          first: { page: 1 },
          prev: page > 1 ? { page: page - 1 } : undefined,
          next: rows.length > per_page ? { page: page + 1 } : undefined,
        });
        return { body: JSON.stringify(rows.slice(0, per_page).map(view.tag)), headers: links };
      }),
  );
}
