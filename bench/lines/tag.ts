import { shuffle } from "../corpus/random.ts";
import type { Line } from "./site.ts";

const PAGE_SIZES = Array.from({ length: 61 }, (_, number) => 30 + number);

/** The most used tags, 60 articles on the average as far as a tag has so many. */
export const tagged: Line = {
  name: "List of a tag, from the database",
  requests: ({ tags, random }) =>
    shuffle(
      random,
      tags
        .slice(0, 67)
        .flatMap((tag) => PAGE_SIZES.map((size) => ({ path: `/api/articles?tag=${tag}&per_page=${size}` }))),
    ),
};
