import type { Static } from "typebox";
import { notFound } from "../../platform/errors.ts";
import type { Answer, Asked } from "../../http/answers.ts";
import { operations, type Program, read, write } from "../../http/operation.ts";
import { cutCounted } from "../../http/pages.ts";
import { created, found, listed, VERSION_HEADER } from "../../http/responses.ts";
import * as organizations from "../organizations/organizations.ts";
import { OrganizationName } from "../organizations/schema.ts";
import { apiPath } from "../../platform/paths.ts";
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

const LISTED = listed(Listing, "the listings, most recently bumped first", LISTING_EXAMPLE, {
  empty: "if none matches",
});
const FAULTS = { title: ["can't be blank"], listing_category: ["must exist"] };

const text = (row: queries.ListingRow, { baseUrl }: Program) => JSON.stringify(view.listing(row, baseUrl));

export const listingRoutes = operations("listings", [
  read({
    path: "GET /api/listings",
    id: "listListings",
    access: "public",
    summary: "List published listings",
    description:
      "Published listings that haven't expired, most recently created or bumped first. An unknown category has none.",
    query: ListingList,
    answers: LISTED,
    run: (request, program) => listOf(program, { request, ...request.query }),
  }),
  read({
    path: "GET /api/listings/category/:category",
    id: "listListingsByCategory",
    access: "public",
    summary: "List published listings in a category",
    description: "The same as the list of all listings with `category`. An unknown category has none.",
    params: CategorySlug,
    query: CategoryList,
    answers: LISTED,
    run: (request, program) => listOf(program, { request, ...request.params }),
  }),
  read({
    path: "GET /api/organizations/:username/listings",
    id: "listOrganizationListings",
    access: "public",
    summary: "List an organization's published listings",
    description:
      "The organization's published listings that haven't expired, most recently created or bumped first.",
    params: OrganizationName,
    query: ListingList,
    answers: LISTED,
    async run(request, program) {
      const organizationId = await organizations.find(program.db.replica, request.params.username);
      return listOf(program, { request, ...request.query, organizationId });
    },
  }),
  read({
    path: "GET /api/listings/:id",
    id: "getListing",
    access: "public",
    summary: "Get a listing",
    description:
      "A published listing is public, also after it has expired. An unpublished one needs the key of its author or of an admin of its organization; to others it is a 404.",
    params: ListingId,
    answers: found(Listing, "the listing", LISTING_EXAMPLE),
    async runFor({ caller, params }, program) {
      const row = await queries.findById(program.db.main, params.id);
      const isOwn = row && !row.published && (await mayEdit(program.db.main, caller.id, row));
      return isOwn ? { body: text(row, program) } : undefined;
    },
    async run({ params }, program) {
      const row = await queries.findById(program.db.replica, params.id);
      if (!row?.published) throw notFound();
      return { body: text(row, program) };
    },
  }),
  write({
    path: "POST /api/listings",
    id: "createListing",
    access: "write",
    summary: "Create a listing",
    description:
      "Publishes the listing, unless `action` is `draft`. Members of an organization can create listings for it. The wrapper may also be named `classified_listing`.",
    body: NewListing,
    answers: created(WrittenListing, "the listing", LISTING_EXAMPLE, { headers: VERSION_HEADER }),
    fieldErrors: FAULTS,
    show: (row: queries.ListingRow, program) => ({
      location: apiPath("listings", row.id),
      body: text(row, program),
    }),
    run: (actor, { body }) => create(actor, body),
  }),
  write({
    path: "PUT /api/listings/:id",
    id: "updateListing",
    access: "write",
    summary: "Update a listing",
    description:
      "For its author and the admins of its organization. Absent and null attributes stay as they are. `action` publishes, unpublishes or bumps the listing, and ignores the other attributes.",
    params: ListingId,
    body: ListingChange,
    answers: found(WrittenListing, "the listing", LISTING_EXAMPLE, { headers: VERSION_HEADER }),
    fieldErrors: FAULTS,
    version: text,
    show: (row: queries.ListingRow, program) => ({ body: text(row, program) }),
    run: (actor, { params, body, ifMatch }) => update(actor, { id: params.id, body, ifMatch }),
  }),
]);

interface Wanted {
  request: Asked<Static<typeof CategoryList>>;
  category?: string | undefined;
  organizationId?: number;
}

async function listOf(
  { baseUrl, db, now }: Program,
  { request, category, organizationId }: Wanted,
): Promise<Answer> {
  const ids = category === undefined ? undefined : await queries.categoryIds(db.replica);
  const categoryId = ids?.get(category?.toLowerCase() ?? "");
  if (ids && categoryId === undefined) return { body: "[]" };
  const filter = { categoryId, organizationId, now: now() };
  const { rows, headers } = await cutCounted({ request, baseUrl, ...request.query }, (part) =>
    queries.list(db.replica, filter, part),
  );
  return { body: JSON.stringify(rows.map((row) => view.listing(row, baseUrl))), headers };
}
