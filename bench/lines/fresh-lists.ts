import { shuffle } from "../corpus/random.ts";
import { MOST_ADDRESSES, pageSizes, withPageSizes } from "./addresses.ts";
import type { Line, Targets } from "./line.ts";

const TARGETS: Targets = { ofJson: 0.6, alone: 1.5 };

/** All articles are younger than this, so any larger `top` asks for the same ones at another address. */
const OLDER_THAN_ALL_DAYS = 2_000;

export const firstPage: Line = {
  name: "Fresh list, first page",
  targets: TARGETS,
  isFresh: true,
  requests: () => ({
    paths: Array.from({ length: MOST_ADDRESSES }, (_, number) => {
      return `/api/articles?per_page=60&top=${OLDER_THAN_ALL_DAYS + number}`;
    }),
  }),
};

const MOST_PAGES = 100;

export const anyPage: Line = {
  name: "Fresh list, any page",
  targets: TARGETS,
  isFresh: true,
  requests: ({ corpus: { articles, random } }) => ({
    paths: shuffle(
      random,
      pageSizes(30).flatMap((size) =>
        Array.from({ length: Math.min(MOST_PAGES, Math.floor(articles / size)) }, (_, page) => {
          return `/api/articles?page=${page + 1}&per_page=${size}`;
        }),
      ),
    ),
  }),
};

/** This many tags have 60 articles or more in a corpus of 10,000. */
const TAGS = 67;

export const ofTag: Line = {
  name: "Fresh list of a tag",
  targets: TARGETS,
  isFresh: true,
  requests({ corpus: { tags, random } }) {
    const questions = tags.slice(0, TAGS).map((tag) => `/api/articles?tag=${tag}`);
    return { paths: withPageSizes(random, questions, pageSizes(30)) };
  },
};
