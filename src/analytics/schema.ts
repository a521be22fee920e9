import { type Static, Type } from "typebox";
import { orNull } from "../http/schema.ts";

const total = Type.Object({ total: Type.Integer() });

export const Totals = Type.Object(
  {
    comments: Type.Object({
      total: Type.Integer({ description: "Of those that aren't deleted and have a score above 0." }),
    }),
    follows: Type.Object({
      total: Type.Integer({
        description: "Of the caller or the organization, also when one article is asked for.",
      }),
    }),
    reactions: Type.Object({
      total: Type.Integer({ description: "Of every kind." }),
      like: Type.Integer(),
      readinglist: Type.Integer(),
    }),
    page_views: Type.Object({
      ...total.properties,
      average_read_time_in_seconds: Type.Integer({
        description: "Of the views of signed-in people, rounded; others have no reading time.",
      }),
      total_read_time_in_seconds: Type.Integer({ description: "The average times the views." }),
    }),
  },
  { title: "AnalyticsTotals" },
);
export type Totals = Static<typeof Totals>;

export const History = Type.Record(Type.String(), Totals, {
  title: "AnalyticsHistory",
  description: "The figures of every day of the range, by date.",
});

export const Referrers = Type.Object(
  {
    domains: Type.Array(
      Type.Object({
        domain: orNull(
          Type.String({
            description:
              "Null: directly, or nobody knows. `other hosts`: all those of a day beyond an article's first 50.",
          }),
        ),
        count: Type.Integer(),
      }),
    ),
  },
  { title: "AnalyticsReferrers", description: "At most 20, those with the most views first." },
);
export type Referrers = Static<typeof Referrers>;

export const EXAMPLE: Totals = {
  comments: { total: 4 },
  follows: { total: 2 },
  reactions: { total: 9, like: 6, readinglist: 3 },
  page_views: { total: 120, average_read_time_in_seconds: 45, total_read_time_in_seconds: 5_400 },
};

const anything = { maxLength: 100, "x-any-text": true };

const scope = {
  organization_id: Type.Optional(
    Type.String({
      ...anything,
      description: "An organization that the caller belongs to, instead of the caller.",
    }),
  ),
  article_id: Type.Optional(
    Type.String({ ...anything, description: "One published article of theirs, instead of all." }),
  ),
};

const day = (description: string) => Type.String({ ...anything, description });

export const ScopeQuery = Type.Object(scope);
export const HistoryQuery = Type.Object({
  start: Type.String({
    ...anything,
    description: "The first day: `yyyy-mm-dd`, in UTC. Months and days may have one digit.",
    "x-missing": "Required 'start' parameter is missing",
  }),
  end: Type.Optional(day("The last day; today when left out. At most 3,660 days.")),
  ...scope,
});
export const ReferrersQuery = Type.Object({
  start: Type.Optional(day("The first day: `yyyy-mm-dd`, in UTC. All days when left out.")),
  end: Type.Optional(day("The last day; today when left out.")),
  ...scope,
});
