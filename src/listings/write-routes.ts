import type { Context } from "../context.ts";
import { ifMatch } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import type { RunWrite } from "../http/mutate.ts";
import { errors, fieldErrors, ok, VERSION_HEADER } from "../http/schema.ts";
import { apiPath } from "../paths.ts";
import { ListingChange, NewListing } from "./fields.ts";
import * as listings from "./listings.ts";
import type { ListingRow } from "./queries.ts";
import { Listing, LISTING_EXAMPLE, ListingId } from "./schema.ts";
import * as view from "./view.ts";

const tags = ["listings"];

const REFUSED = fieldErrors({ title: ["can't be blank"], listing_category: ["must exist"] });

const written = (headers: Record<string, string> = {}) =>
  ok(Listing, {
    description: "The listing.",
    example: LISTING_EXAMPLE,
    headers: { ...headers, ...VERSION_HEADER },
  });

export function listingWriteRoutes(app: App, context: Context, runWrite: RunWrite): void {
  createRoute(app, context, runWrite);
  updateRoute(app, context, runWrite);
}

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
        verb: (actor) => listings.create(actor, request.body),
        show: (row) => ({
          status: 201,
          headers: { location: baseUrl + apiPath("listings", row.id) },
          body: JSON.stringify(view.listing(row, baseUrl)),
        }),
      }),
  );
}

function updateRoute(app: App, { config: { baseUrl } }: Context, runWrite: RunWrite): void {
  const show = (row: ListingRow) => JSON.stringify(view.listing(row, baseUrl));
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
          listings.update(actor, {
            id: request.params.id,
            body: request.body,
            ifMatch: ifMatch(request, show),
          }),
        show: (row) => ({ status: 200, body: show(row) }),
      }),
  );
}
