import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { answer, privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { CACHE_HEADERS, errors, LINK_HEADER, ok, type Refusal } from "../http/schema.ts";
import * as organizations from "../organizations/organizations.ts";
import { OrganizationName } from "../organizations/schema.ts";
import { mayEdit } from "./listings.ts";
import { listOf } from "./lists.ts";
import * as queries from "./queries.ts";
import { CategoryList, CategorySlug, Listing, LISTING_EXAMPLE, ListingId, ListingList } from "./schema.ts";
import * as view from "./view.ts";

const tags = ["listings"];

const listed = (...refusals: Refusal[]) => ({
  200: ok(Type.Array(Listing), {
    description: "The listings, most recently bumped first; an empty array if none matches.",
    example: [LISTING_EXAMPLE],
    headers: { ...CACHE_HEADERS, ...LINK_HEADER },
  }),
  ...errors(304, 401, ...refusals, 422, 429, 500, 503),
});

export function listingRoutes(app: App, context: Context): void {
  allRoute(app, context);
  categoryRoute(app, context);
  organizationRoute(app, context);
  singleRoute(app, context);
}

function allRoute(app: App, context: Context): void {
  const schema = {
    operationId: "listListings",
    summary: "List published listings",
    description:
      "Published listings that haven't expired, most recently created or bumped first. An unknown category has none.",
    tags,
    querystring: ListingList,
    response: listed(),
  };
  app.get("/api/listings", { config: { access: "public" }, schema }, (request, reply) =>
    answer(request, reply, () => listOf(context, { request, ...request.query })),
  );
}

function categoryRoute(app: App, context: Context): void {
  const schema = {
    operationId: "listListingsByCategory",
    summary: "List published listings in a category",
    description: "The same as the list of all listings with `category`. An unknown category has none.",
    tags,
    params: CategorySlug,
    querystring: CategoryList,
    response: listed(404),
  };
  app.get("/api/listings/category/:category", { config: { access: "public" }, schema }, (request, reply) =>
    answer(request, reply, () => listOf(context, { request, ...request.query, ...request.params })),
  );
}

function organizationRoute(app: App, context: Context): void {
  const schema = {
    operationId: "listOrganizationListings",
    summary: "List an organization's published listings",
    description:
      "The organization's published listings that haven't expired, most recently created or bumped first.",
    tags,
    params: OrganizationName,
    querystring: ListingList,
    response: listed(404),
  };
  app.get(
    "/api/organizations/:username/listings",
    { config: { access: "public" }, schema },
    (request, reply) =>
      answer(request, reply, async () => {
        const organizationId = await organizations.find(context.db.replica, request.params.username);
        if (organizationId === undefined) throw notFound();
        return listOf(context, { request, ...request.query, organizationId });
      }),
  );
}

function singleRoute(app: App, context: Context): void {
  app.get(
    "/api/listings/:id",
    {
      config: { access: "public" },
      schema: {
        operationId: "getListing",
        summary: "Get a listing",
        description:
          "A published listing is public, also after it has expired. An unpublished one needs the key of its author or of an admin of its organization; to others it is a 404.",
        tags,
        params: ListingId,
        response: {
          200: ok(Listing, {
            description: "The listing.",
            example: LISTING_EXAMPLE,
            headers: CACHE_HEADERS,
          }),
          ...errors(304, 401, 404, 429, 500, 503),
        },
      },
    },
    (request, reply) => show(context, request.params.id, { request, reply }),
  );
}

async function show(
  { config, db }: Context,
  id: number,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const shown = (row: queries.ListingRow) => ({ body: JSON.stringify(view.listing(row, config.baseUrl)) });
  const { caller } = request;
  const row = caller && (await queries.findById(db.main, id));
  if (row && !row.published && (await mayEdit(db.main, caller.id, row))) {
    return privateAnswer(request, reply, shown(row));
  }
  return answer(request, reply, async () => {
    const row = await queries.findById(db.replica, id);
    if (!row?.published) throw notFound();
    return shown(row);
  });
}
