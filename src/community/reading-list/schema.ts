import { type Static, Type } from "typebox";
import { SUMMARY_EXAMPLE } from "../articles/examples.ts";
import { ArticleSummary } from "../articles/schema.ts";
import { count, idParameter, listPage, timestamp } from "../../http/schema.ts";

export const ReadingListItem = Type.Object(
  {
    type_of: Type.Literal("readinglist", { description: "The type of the resource." }),
    id: count("The id of the item, not of the article."),
    status: Type.Enum(["valid", "invalid", "confirmed"], {
      description: "How moderators have judged the reaction that saved the article.",
    }),
    created_at: timestamp("When the article was saved."),
    article: ArticleSummary,
  },
  { title: "ReadingListItem", description: "An article in the caller's reading list." },
);
export type ReadingListItem = Static<typeof ReadingListItem>;

export const ReadingList = Type.Object(listPage({ default: 30, max: 100 }));

export const SavedArticle = Type.Object({ article_id: idParameter("The id of the article.", 33) });

export const ITEM_EXAMPLE: ReadingListItem = {
  type_of: "readinglist",
  id: 77,
  status: "valid",
  created_at: "2026-03-03T08:00:00Z",
  article: SUMMARY_EXAMPLE,
};
