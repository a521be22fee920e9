import { Type } from "typebox";
import { ArticleSearch } from "../articles/schema.ts";

const { tag, top, cursor } = ArticleSearch.properties;

export const FeedPage = Type.Object({ cursor });

/** As the search of the API has it, but a feed of no search would be another one. */
export const SearchFeed = Type.Object({
  q: Type.String({ maxLength: 200, "x-any-text": true }),
  tag,
  top,
  cursor,
});

export const FeedName = Type.Object({ name: Type.String() });
