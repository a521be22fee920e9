import { summariesById } from "../articles/reading.ts";
import { operations, read } from "../../http/operation.ts";
import { cutCounted } from "../../http/pages.ts";
import { listed } from "../../http/responses.ts";
import { timestamp } from "../../platform/text/dates.ts";
import * as queries from "./queries.ts";
import { ITEM_EXAMPLE, ReadingList, ReadingListItem } from "./schema.ts";

export const readingListRoutes = operations("reading list", [
  read({
    path: "GET /api/readinglist",
    id: "getReadinglist",
    access: "key",
    summary: "List the caller's saved articles",
    description:
      "Articles that the caller has saved, most recently saved first, except archived and unpublished ones.",
    query: ReadingList,
    answers: listed(ReadingListItem, "the items", ITEM_EXAMPLE),
    async run(request, { baseUrl, db, fragments, now }) {
      const wanted = { userId: request.caller.id, now: now() };
      const { rows, headers } = await cutCounted({ request, baseUrl, ...request.query }, (part) =>
        queries.list(db.main, { ...wanted, ...part }),
      );
      const summaries = await summariesById(db.main, rows, { fragments, baseUrl, now: now() });
      // The article was removed between the two queries.
      const items = rows.flatMap((saved) => {
        const article = summaries.get(saved.article_id);
        return article === undefined ? [] : item(saved, article.json.toString());
      });
      return { body: `[${items.join(",")}]`, headers };
    },
  }),
]);

function item({ id, status, created_at }: queries.SavedRow, article: string): string {
  const saved = { type_of: "readinglist", id, status, created_at: timestamp(created_at) };
  return `${JSON.stringify(saved).slice(0, -1)},"article":${article}}`;
}
