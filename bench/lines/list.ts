import { shuffle } from "../corpus/random.ts";
import { ENOUGH_TO_MISS, type Line } from "./site.ts";

/** All articles are younger than this, so that any larger `top` asks for the same ones in another way. */
const OLDER_THAN_ALL_DAYS = 2_000;

/** The same 60 articles under ever another address, none of which has been asked for within a second. */
export const firstPage: Line = {
  name: "List, first page, from the database",
  floor: 0.05,
  requests: () =>
    Array.from({ length: ENOUGH_TO_MISS }, (_, number) => ({
      path: `/api/articles?per_page=60&top=${OLDER_THAN_ALL_DAYS + number}`,
    })),
};

const PAGE_SIZES = Array.from({ length: 41 }, (_, number) => 40 + number);

/** Pages anywhere in the list of all articles, 60 articles on the average. */
export const anyPage: Line = {
  name: "List, any page, from the database",
  requests: ({ articles, random }) =>
    shuffle(
      random,
      PAGE_SIZES.flatMap((size) =>
        Array.from({ length: Math.min(100, Math.floor(articles / size)) }, (_, page) => ({
          path: `/api/articles?per_page=${size}&page=${page + 1}`,
        })),
      ),
    ),
};

/** What a front page asks for all day: remembered, and made anew about once a second. */
export const samePage: Line = {
  name: "List, same address",
  requests: () => [{ path: "/api/articles?per_page=60" }],
};
