import { type Static, Type } from "typebox";
import { count, idAsText, textOrNull } from "../../http/schema.ts";

export const Totals = Type.Object(
  {
    comments: Type.Object(
      { total: count("The number of comments that aren't deleted and have a score above 0.") },
      { description: "Comments on the articles." },
    ),
    follows: Type.Object(
      { total: count("The number of follows of the user or organization, even for a single article.") },
      { description: "New followers." },
    ),
    reactions: Type.Object(
      {
        total: count("The number of reactions of all kinds."),
        like: count("The number of likes."),
        readinglist: count("How often the articles were saved to a reading list."),
      },
      { description: "Reactions to the articles." },
    ),
    page_views: Type.Object(
      {
        total: count("The number of views."),
        average_read_time_in_seconds: count(
          "The average reading time of signed-in readers, rounded. Other views have no reading time.",
        ),
        total_read_time_in_seconds: count("The average reading time multiplied by the number of views."),
      },
      { description: "Views of the articles." },
    ),
  },
  { title: "AnalyticsTotals", description: "Figures of a period." },
);
export type Totals = Static<typeof Totals>;

export const History = Type.Record(Type.String(), Totals, {
  title: "AnalyticsHistory",
  description: "The figures of each day, by date.",
});

export const Referrers = Type.Object(
  {
    domains: Type.Array(
      Type.Object({
        domain: textOrNull(
          "The host. Null for direct and unknown visits; `other hosts` for those beyond the first 50 of an article and day.",
        ),
        count: count("The number of views."),
      }),
      { description: "The hosts that readers came from, at most 20, most views first." },
    ),
  },
  { title: "AnalyticsReferrers", description: "Where readers came from." },
);
export type Referrers = Static<typeof Referrers>;

export const EXAMPLE: Totals = {
  comments: { total: 4 },
  follows: { total: 2 },
  reactions: { total: 9, like: 6, readinglist: 3 },
  page_views: { total: 120, average_read_time_in_seconds: 45, total_read_time_in_seconds: 5_400 },
};

export const REFERRERS_EXAMPLE: Referrers = {
  domains: [
    { domain: "news.example", count: 20 },
    { domain: null, count: 3 },
  ],
};

const anything = { maxLength: 100, "x-any-text": true };

const scope = {
  organization_id: idAsText(
    "The id of an organization of the caller, for its figures instead of the caller's.",
    1,
  ),
  article_id: idAsText("The id of a published article, for its figures instead of those of all articles.", 2),
};

const day = (description: string, example: string) =>
  Type.String({ ...anything, description, examples: [example] });

export const ScopeQuery = Type.Object(scope);
export const HistoryQuery = Type.Object({
  start: Type.String({
    ...anything,
    description: "The first day, in UTC, as `yyyy-mm-dd`. Month and day may have one digit.",
    examples: ["2026-03-01"],
    "x-missing": "Required 'start' parameter is missing",
  }),
  end: Type.Optional(
    day("The last day. The default is today; the range has at most 3,660 days.", "2026-03-31"),
  ),
  ...scope,
});
export const ReferrersQuery = Type.Object({
  start: Type.Optional(day("The first day, in UTC, as `yyyy-mm-dd`. The default is all days.", "2026-03-01")),
  end: Type.Optional(day("The last day. The default is today.", "2026-03-31")),
  ...scope,
});
