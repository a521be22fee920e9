import { type Static, type TObject, Type } from "typebox";
import { count, idAsText, textOrNull } from "../../http/schema.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid, notFound, unauthorized } from "../../platform/errors.ts";
import { idIn } from "../../platform/fields/fields.ts";
import { operations, read } from "../../http/operation.ts";
import { type Answers, found } from "../../http/responses.ts";
import * as organizations from "../organizations/organizations.ts";
import { optionalRange, pastDay, rangeOf } from "./periods.ts";
import * as queries from "./queries.ts";

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

const History = Type.Record(Type.String(), Totals, {
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

const EXAMPLE: Totals = {
  comments: { total: 4 },
  follows: { total: 2 },
  reactions: { total: 9, like: 6, readinglist: 3 },
  page_views: { total: 120, average_read_time_in_seconds: 45, total_read_time_in_seconds: 5_400 },
};

const REFERRERS_EXAMPLE: Referrers = {
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

const ScopeQuery = Type.Object(scope);
const HistoryQuery = Type.Object({
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
const ReferrersQuery = Type.Object({
  start: Type.Optional(day("The first day, in UTC, as `yyyy-mm-dd`. The default is all days.", "2026-03-01")),
  end: Type.Optional(day("The last day. The default is today.", "2026-03-31")),
  ...scope,
});

const more = { refusals: [404, 422] } as const;

export const analyticsRoutes = operations("analytics", [
  figures({
    path: "GET /api/analytics/totals",
    id: "getAnalyticsTotals",
    summary: "Get figures of all time",
    query: ScopeQuery,
    answers: found(Totals, "the figures", EXAMPLE, more),
    range: () => undefined,
    show: async (db, scope) => showTotals(await queries.totals(db, scope)),
  }),
  figures({
    path: "GET /api/analytics/historical",
    id: "getAnalyticsHistory",
    summary: "Get figures for each day of a range",
    query: HistoryQuery,
    answers: found(History, "the figures of each day, by date", { "2026-03-01": EXAMPLE }, more),
    range: ({ start = "", end }, now) => rangeOf({ start, end }, now),
    show: async (db, scope, range) => showHistory(await queries.byDay(db, scope, range)),
  }),
  figures({
    path: "GET /api/analytics/past_day",
    id: "getAnalyticsOfPastDay",
    summary: "Get figures for yesterday and today",
    query: ScopeQuery,
    answers: found(
      History,
      "the figures of yesterday and today, by date",
      { "2026-03-01": EXAMPLE, "2026-03-02": EXAMPLE },
      more,
    ),
    range: (_, now) => pastDay(now),
    show: async (db, scope, range) => showHistory(await queries.byDay(db, scope, range)),
  }),
  figures({
    path: "GET /api/analytics/referrers",
    id: "getAnalyticsReferrers",
    summary: "Get the origins of views",
    query: ReferrersQuery,
    answers: found(Referrers, "the hosts that readers came from", REFERRERS_EXAMPLE, more),
    range: optionalRange,
    show: async (db, scope, range) => showReferrers(await queries.topReferrers(db, scope, range)),
  }),
]);

interface Figures<Range> {
  path: `GET /${string}`;
  id: string;
  summary: string;
  query: TObject;
  answers: Answers;
  range: (query: Query, now: Date) => Range;
  show: (db: Db, scope: queries.Scope, range: Range) => Promise<object>;
}

type Query = Partial<Record<"start" | "end" | "organization_id" | "article_id", string>>;

function figures<Range>({ range, show, ...declared }: Figures<Range>) {
  return read({
    ...declared,
    access: "key",
    description:
      "For the published articles of the caller or of an organization of the caller. View counts imported from another site are not included.",
    async run(request, { db, now }) {
      const query: Query = request.query;
      const { organization_id: organization, article_id: article } = query;
      const wish = { callerId: request.caller.id, organization, article };
      const owner = await findOwner(db.main, wish);
      const days = range(query, now());
      const scope = await narrow(db.main, owner, wish);
      return { body: JSON.stringify(await show(db.slow, scope, days)) };
    },
  });
}

interface Wish {
  callerId: number;
  organization?: string | undefined;
  article?: string | undefined;
}

async function findOwner(db: Db, { callerId, organization }: Wish): Promise<queries.Scope["owner"]> {
  if (organization === undefined) return { kind: "user", id: callerId };
  const id = idIn(organization);
  if (id === undefined || !(await organizations.exists(db, id))) throw notFound();
  if (!(await organizations.isMember(db, { userId: callerId, organizationId: id }))) throw unauthorized();
  return { kind: "organization", id };
}

/** The owner's figures, or those of the article that the request names. */
async function narrow(db: Db, owner: queries.Scope["owner"], { article }: Wish): Promise<queries.Scope> {
  if (article === undefined) return { owner, articleId: undefined };
  const articleId = idIn(article);
  const owners = articleId === undefined ? undefined : await queries.findOwners(db, articleId);
  const ownerId = owner.kind === "user" ? owners?.author_id : owners?.organization_id;
  if (articleId === undefined || ownerId !== owner.id) throw invalid("You can't view this article's stats");
  return { owner, articleId };
}

/** The average reading time is that of signed-in readers: others have none. */
function showTotals({ views, signed_in_views, read_seconds, ...figures }: queries.Figures): Totals {
  const average = signed_in_views > 0 ? Math.round(read_seconds / signed_in_views) : 0;
  return {
    comments: { total: figures.comments },
    follows: { total: figures.follows },
    reactions: { total: figures.reactions, like: figures.likes, readinglist: figures.readinglists },
    page_views: {
      total: views,
      average_read_time_in_seconds: average,
      total_read_time_in_seconds: average * views,
    },
  };
}

function showHistory(days: readonly (queries.Figures & { day: string })[]): Record<string, Totals> {
  return Object.fromEntries(days.map(({ day, ...figures }) => [day, showTotals(figures)]));
}

function showReferrers(rows: queries.ReferrerRow[]): Referrers {
  return { domains: rows.map(({ referrer, views }) => ({ domain: referrer || null, count: views })) };
}
