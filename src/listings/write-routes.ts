import type { FastifyRequest } from "fastify";
import type { Context, Services } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { notFound } from "../errors.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { checkIfMatch, etagsOf } from "../http/if-match.ts";
import { waiterOf } from "../http/request-signal.ts";
import { type Answered, perform } from "../http/perform.ts";
import { errors, fieldErrors, ok, VERSION_HEADER } from "../http/schema.ts";
import * as settings from "../settings/settings.ts";
import { LISTING_EXAMPLE } from "./example.ts";
import * as listings from "./listings.ts";
import { prepareChange, prepareNew } from "./prepared.ts";
import * as queries from "./queries.ts";
import { givenIn, isGiven, organizationIn } from "./requests.ts";
import { Listing, ListingId } from "./schema.ts";
import * as view from "./view.ts";
import { ListingChange, NewListing } from "./write-schema.ts";

const tags = ["listings"];

/** Bodies are read by the domain, after what else may refuse the request; the schema is for the description. */
const validatorCompiler = () => () => true;

const REFUSED = fieldErrors({ title: ["can't be blank"], listing_category: ["must exist"] });

const written = (headers: Record<string, string> = {}) =>
  ok(Listing, {
    description: "The listing.",
    example: LISTING_EXAMPLE,
    headers: { ...headers, ...VERSION_HEADER },
  });

/** What people do to listings. */
export function listingWriteRoutes(app: App, context: Context, services: Services): void {
  createRoute(app, context, services);
  updateRoute(app, context, services);
}

function createRoute(app: App, context: Context, services: Services): void {
  const { config, db, now } = context;
  app.post(
    "/api/listings",
    {
      config: { access: "write", idempotent: true },
      validatorCompiler,
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
    async (request, reply) => {
      const given = givenIn(request.body);
      const writer = { id: caller(request).id, organizationId: organizationIn(given) };
      const community = await settings.remembered(services.fresh, db.main);
      const prepared = await prepareNew(
        { db: db.main, renderer: services.renderPool.for(waiterOf(request, reply)) },
        given,
      );
      const rules = { now: now(), limits: config.rateLimits ? community : undefined };
      return perform(request, reply, async (tx) => {
        const id = await listings.create(tx, { writer, prepared, rules });
        const location = `${config.baseUrl}/api/listings/${id}`;
        return { status: 201, headers: { location }, ...(await show(tx, context, id)) };
      });
    },
  );
}

function updateRoute(app: App, context: Context, services: Services): void {
  const { db, now } = context;
  app.put(
    "/api/listings/:id",
    {
      config: { access: "write", versioned: true },
      validatorCompiler,
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
    async (request, reply) => {
      const { id: userId } = caller(request);
      const { id } = request.params;
      const row = await queries.findById(db.main, id);
      if (!row) throw notFound();
      // Nothing is rendered for those who may not write it; that is decided once more below.
      await listings.requireEditor(db.main, userId, row);
      const given = givenIn(request.body);
      const organizationId = isGiven(given["action"]) ? undefined : organizationIn(given);
      const prepared = await prepareChange(
        { db: db.main, renderer: services.renderPool.for(waiterOf(request, reply)) },
        given,
      );
      return perform(request, reply, async (tx) => {
        const checkVersion = () => checkUnchanged(tx, request, { context, id });
        const writer = { id: userId, organizationId };
        await listings.update(tx, { id, writer, prepared, now: now(), checkVersion });
        return { status: 200, ...(await show(tx, context, id)) };
      });
    },
  );
}

async function checkUnchanged(
  tx: Db,
  request: FastifyRequest,
  { context, id }: { context: Context; id: number },
): Promise<void> {
  if (request.headers["if-match"] === undefined) return;
  checkIfMatch(request, etagsOf((await show(tx, context, id)).body));
}

/** The listing as it is now. */
async function show(tx: Db, { config }: Context, id: number): Promise<Pick<Answered, "body">> {
  const row = await queries.findById(tx, id);
  if (!row) throw new Error("a listing that is held is there");
  return { body: JSON.stringify(view.listing(row, config.baseUrl)) };
}
