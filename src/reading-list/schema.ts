import { type Static, Type } from "typebox";
import { ArticleSummary } from "../articles/schema.ts";
import { listPage, Timestamp } from "../http/schema.ts";

/** An article that somebody has saved. */
export const ReadingListItem = Type.Object(
  {
    type_of: Type.Literal("readinglist"),
    id: Type.Integer({ description: "The number of the mark, not of the article." }),
    status: Type.Enum(["valid", "invalid", "confirmed"]),
    created_at: Timestamp,
    article: ArticleSummary,
  },
  { title: "ReadingListItem" },
);
export type ReadingListItem = Static<typeof ReadingListItem>;

export const ReadingList = Type.Object(listPage({ default: 30, max: 100 }));
export type ReadingList = Static<typeof ReadingList>;
