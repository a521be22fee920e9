import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { SUMMARY_EXAMPLE } from "../articles/examples.ts";
import { summariesById } from "../articles/reading.ts";
import { ArticleSummary } from "../articles/schema.ts";
import type { Context, Services } from "../context.ts";
import { type Answer, privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { cutCounted } from "../http/pages.ts";
import { count, listPage, ownListed, timestamp as when } from "../http/schema.ts";
import { timestamp } from "../text/dates.ts";
import * as queries from "./queries.ts";
import type { SavedRow } from "./queries.ts";

export const ReadingListItem = Type.Object(
  {
    type_of: Type.Literal("readinglist", { description: "The type of the resource." }),
    id: count("The id of the item, not of the article."),
    status: Type.Enum(["valid", "invalid", "confirmed"], {
      description: "How moderators have judged the reaction that saved the article.",
    }),
    created_at: when("When the article was saved."),
    article: ArticleSummary,
  },
  { title: "ReadingListItem", description: "An article in the caller's reading list." },
);
export type ReadingListItem = Static<typeof ReadingListItem>;

const ReadingList = Type.Object(listPage({ default: 30, max: 100 }));
export type ReadingList = Static<typeof ReadingList>;

const EXAMPLE: ReadingListItem = {
  type_of: "readinglist",
  id: 77,
  status: "valid",
  created_at: "2026-03-03T08:00:00Z",
  article: SUMMARY_EXAMPLE,
};

export function readingListRoutes(app: App, context: Context, services: Services): void {
  app.get(
    "/api/readinglist",
    {
      config: { access: "key" },
      schema: {
        operationId: "getReadinglist",
        summary: "List the caller's saved articles",
        description:
          "Articles that the caller has saved, most recently saved first, except archived and unpublished ones.",
        tags: ["reading list"],
        querystring: ReadingList,
        response: ownListed(ReadingListItem, {
          description: "The response contains the items; it is an empty array past the last page.",
          example: [EXAMPLE],
        }),
      },
    },
    async (request, reply) => privateAnswer(request, reply, await list(context, services, request)),
  );
}

async function list(
  { config, db, now }: Context,
  { fragments }: Services,
  request: FastifyRequest<{ Querystring: ReadingList }>,
): Promise<Answer> {
  const { baseUrl } = config;
  const { id: userId } = caller(request);
  const asked = { request, baseUrl, ...request.query };
  const { rows, headers } = await cutCounted(asked, (part) =>
    queries.list(db.main, { userId, now: now(), ...part }),
  );
  const summaries = await summariesById(db.main, rows, { fragments, baseUrl, now: now() });
  // The article was removed between the two queries.
  const items = rows.flatMap((saved) => {
    const article = summaries.get(saved.article_id);
    return article === undefined ? [] : item(saved, article.json.toString());
  });
  return { body: `[${items.join(",")}]`, headers };
}

function item({ id, status, created_at }: SavedRow, article: string): string {
  const saved = { type_of: "readinglist", id, status, created_at: timestamp(created_at) };
  return `${JSON.stringify(saved).slice(0, -1)},"article":${article}}`;
}
