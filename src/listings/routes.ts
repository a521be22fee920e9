import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { type Answer, answer, ifMatch, privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { cutCounted } from "../http/pages.ts";
import type { RunWrite } from "../http/run-write.ts";
import { errors, fieldErrors, found, listed, ok, type Refusal, VERSION_HEADER } from "../http/schema.ts";
import * as organizations from "../organizations/organizations.ts";
import { OrganizationName } from "../organizations/schema.ts";
import { apiPath } from "../paths.ts";
import { ListingChange, NewListing } from "./fields.ts";
import { create, mayEdit, update } from "./listings.ts";
import * as queries from "./queries.ts";
import {
  CategoryList,
  CategorySlug,
  Listing,
  LISTING_EXAMPLE,
  ListingId,
  ListingList,
  WrittenListing,
} from "./schema.ts";
import * as view from "./view.ts";

const tags = ["listings"];

const listedWith = (...refusals: Refusal[]) =>
  listed(Listing, {
    description:
      "The response contains the listings, most recently bumped first; it is an empty array if none matches.",
    example: [LISTING_EXAMPLE],
    refusals,
  });

export function listingRoutes(app: App, context: Context, runWrite: RunWrite): void {
  allRoute(app, context);
  categoryRoute(app, context);
  organizationRoute(app, context);
  singleRoute(app, context);
  createRoute(app, context, runWrite);
  updateRoute(app, context, runWrite);
}

function allRoute(app: App, context: Context): void {
  const schema = {
    operationId: "listListings",
    summary: "List published listings",
    description:
      "Published listings that haven't expired, most recently created or bumped first. An unknown category has none.",
    tags,
    querystring: ListingList,
    response: listedWith(),
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
    response: listedWith(404),
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
    response: listedWith(404),
  };
  app.get(
    "/api/organizations/:username/listings",
    { config: { access: "public" }, schema },
    (request, reply) =>
      answer(request, reply, async () => {
        const organizationId = await organizations.find(context.db.replica, request.params.username);
        return listOf(context, { request, ...request.query, organizationId });
      }),
  );
}

interface Asked {
  request: FastifyRequest;
  page: number;
  per_page: number;
  category?: string | undefined;
  organizationId?: number;
}

/** A page of the listings that readers see. @throws AppError invalid for one too deep to count off */
async function listOf(context: Context, { category, organizationId, ...asked }: Asked): Promise<Answer> {
  const { config, db, now } = context;
  const ids = category === undefined ? undefined : await queries.categoryIds(db.replica);
  const categoryId = ids?.get(category?.toLowerCase() ?? "");
  if (ids && categoryId === undefined) return { body: "[]" };
  const filter = { categoryId, organizationId, now: now() };
  const { rows, headers } = await cutCounted({ ...asked, baseUrl: config.baseUrl }, (part) =>
    queries.list(db.replica, filter, part),
  );
  return { body: JSON.stringify(rows.map((row) => view.listing(row, config.baseUrl))), headers };
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
        response: found(Listing, {
          description: "The response contains the listing.",
          example: LISTING_EXAMPLE,
          refusals: [404],
        }),
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

const REFUSED = fieldErrors({ title: ["can't be blank"], listing_category: ["must exist"] });

const written = (headers: Record<string, string> = {}) =>
  ok(WrittenListing, {
    description: "The response contains the listing.",
    example: LISTING_EXAMPLE,
    headers: { ...headers, ...VERSION_HEADER },
  });

function createRoute(app: App, { config: { baseUrl } }: Context, runWrite: RunWrite): void {
  app.post(
    "/api/listings",
    {
      config: { access: "write", idempotent: true, fieldErrors: true },
      schema: {
        operationId: "createListing",
        summary: "Create a listing",
        description:
          "Publishes the listing, unless `action` is `draft`. Members of an organization can create listings for it. The wrapper may also be named `classified_listing`.",
        tags,
        body: NewListing,
        response: {
          201: written({ Location: "The URL of the new resource." }),
          ...errors(401, 409, 429, 500, 503),
          ...REFUSED,
        },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) => create(actor, request.body),
        show: (row) => ({
          status: 201,
          headers: { location: baseUrl + apiPath("listings", row.id) },
          body: JSON.stringify(view.listing(row, baseUrl)),
        }),
      }),
  );
}

function updateRoute(app: App, { config: { baseUrl } }: Context, runWrite: RunWrite): void {
  const show = (row: queries.ListingRow) => JSON.stringify(view.listing(row, baseUrl));
  app.put(
    "/api/listings/:id",
    {
      config: { access: "write", versioned: true, fieldErrors: true },
      schema: {
        operationId: "updateListing",
        summary: "Update a listing",
        description:
          "For its author and the admins of its organization. Absent and null attributes stay as they are. `action` publishes, unpublishes or bumps the listing, and ignores the other attributes.",
        tags,
        params: ListingId,
        body: ListingChange,
        response: { 200: written(), ...errors(401, 404, 412, 429, 500, 503), ...REFUSED },
      },
    },
    (request, reply) =>
      runWrite(request, reply, {
        verb: (actor) =>
          update(actor, {
            id: request.params.id,
            body: request.body,
            ifMatch: ifMatch(request, show),
          }),
        show: (row) => ({ status: 200, body: show(row) }),
      }),
  );
}
