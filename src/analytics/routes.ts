import type { FastifyReply, FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import type { Context } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { invalid, notFound, unauthorized } from "../errors.ts";
import { idIn } from "../fields/fields.ts";
import { privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { errors, ok } from "../http/schema.ts";
import * as organizations from "../organizations/organizations.ts";
import { optionalRange, pastDay, rangeOf } from "./periods.ts";
import * as queries from "./queries.ts";
import {
  EXAMPLE,
  HistoryQuery,
  History,
  Referrers,
  REFERRERS_EXAMPLE,
  ReferrersQuery,
  ScopeQuery,
  Totals,
} from "./schema.ts";

export function analyticsRoutes(app: App, context: Context): void {
  mount(app, context, {
    path: "totals",
    operationId: "getAnalyticsTotals",
    summary: "Get figures of all time",
    querystring: ScopeQuery,
    response: ok(Totals, { description: "The response contains the figures.", example: EXAMPLE }),
    range: () => undefined,
    answer: async (db, scope) => showTotals(await queries.totals(db, scope)),
  });
  mount(app, context, {
    path: "historical",
    operationId: "getAnalyticsHistory",
    summary: "Get figures for each day of a range",
    querystring: HistoryQuery,
    response: ok(History, {
      description: "The response contains the figures of each day, by date.",
      example: { "2026-03-01": EXAMPLE },
    }),
    range: ({ start = "", end }, now) => rangeOf({ start, end }, now),
    answer: async (db, scope, range) => showHistory(await queries.byDay(db, scope, range)),
  });
  mount(app, context, {
    path: "past_day",
    operationId: "getAnalyticsOfPastDay",
    summary: "Get figures for yesterday and today",
    querystring: ScopeQuery,
    response: ok(History, {
      description: "The response contains the figures of yesterday and today, by date.",
      example: { "2026-03-01": EXAMPLE, "2026-03-02": EXAMPLE },
    }),
    range: (_, now) => pastDay(now),
    answer: async (db, scope, range) => showHistory(await queries.byDay(db, scope, range)),
  });
  mount(app, context, {
    path: "referrers",
    operationId: "getAnalyticsReferrers",
    summary: "Get the origins of views",
    querystring: ReferrersQuery,
    response: ok(Referrers, {
      description: "The response contains the hosts that readers came from.",
      example: REFERRERS_EXAMPLE,
    }),
    range: optionalRange,
    answer: async (db, scope, range) => showReferrers(await queries.topReferrers(db, scope, range)),
  });
}

interface Operation<Range> {
  path: string;
  operationId: string;
  summary: string;
  querystring: TObject;
  response: object;
  range: (query: Query, now: Date) => Range;
  answer: (db: Db, scope: queries.Scope, range: Range) => Promise<object>;
}

type Query = Partial<Record<"start" | "end" | "organization_id" | "article_id", string>>;

function mount<Range>(app: App, { db, now }: Context, operation: Operation<Range>): void {
  const { path, range, answer, response, ...schema } = operation;
  app.get(
    `/api/analytics/${path}`,
    {
      config: { access: "key" },
      schema: {
        ...schema,
        description:
          "For the published articles of the caller or of an organization of the caller. View counts imported from another site are not included.",
        tags: ["analytics"],
        response: { 200: response, ...errors(304, 401, 404, 422, 429, 500, 503) },
      },
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as Query;
      const { organization_id: organization, article_id: article } = query;
      const wish = { callerId: caller(request).id, organization, article };
      const owner = await findOwner(db.main, wish);
      const days = range(query, now());
      const scope = await narrow(db.main, owner, wish);
      return privateAnswer(request, reply, { body: JSON.stringify(await answer(db.slow, scope, days)) });
    },
  );
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
