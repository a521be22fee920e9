import type { Context } from "../context.ts";
import { answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { cutCounted } from "../http/pages.ts";
import { listed } from "../http/schema.ts";
import * as queries from "./queries.ts";
import { Tag, TagList } from "./schema.ts";

export function tagRoutes(app: App, { config, db }: Context): void {
  app.get(
    "/api/tags",
    {
      config: { access: "public" },
      schema: {
        operationId: "listTags",
        summary: "List tags",
        description: "All tags, most used first, without aliases.",
        tags: ["tags"],
        querystring: TagList,
        response: listed(Tag, {
          description: "The response contains the tags; it is an empty array past the last page.",
          example: [{ id: 6, name: "javascript", bg_color_hex: "#F7DF1E", text_color_hex: "#000000" }],
        }),
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const asked = { request, baseUrl: config.baseUrl, ...request.query };
        const { rows, headers } = await cutCounted(asked, (part) => queries.list(db.replica, part));
        return { body: JSON.stringify(rows), headers };
      }),
  );
}
