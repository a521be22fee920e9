import { summariesById } from "../articles/reading.ts";
import type { Actor } from "../../http/actor.ts";
import { operations, read, write } from "../../http/operation.ts";
import { cutCounted } from "../../http/pages.ts";
import { emptied, listed } from "../../http/responses.ts";
import { timestamp } from "../../platform/text/dates.ts";
import * as queries from "./queries.ts";
import * as readingList from "./reading-list.ts";
import { ITEM_EXAMPLE, ReadingList, ReadingListItem, SavedArticle } from "./schema.ts";

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
  write({
    path: "PUT /api/readinglist/:article_id",
    id: "saveArticle",
    access: "write",
    summary: "Save an article",
    description: "Adds a published article to the reading list, or restores it from the archive.",
    params: SavedArticle,
    answers: emptied("The article is in the reading list."),
    run: (actor: Actor<boolean>, { params }) => readingList.save(actor, params.article_id),
  }),
  write({
    path: "DELETE /api/readinglist/:article_id",
    id: "unsaveArticle",
    access: "write",
    summary: "Remove a saved article",
    description: "Removes an article from the reading list and its archive.",
    params: SavedArticle,
    answers: emptied("The article isn't in the reading list."),
    run: (actor: Actor<boolean>, { params }) => readingList.unsave(actor, params.article_id),
  }),
]);

function item({ id, status, created_at }: queries.SavedRow, article: string): string {
  const saved = { type_of: "readinglist", id, status, created_at: timestamp(created_at) };
  return `${JSON.stringify(saved).slice(0, -1)},"article":${article}}`;
}
