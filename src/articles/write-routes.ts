import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context, Services } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { notFound, unauthorized } from "../errors.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { ifMatch } from "../http/if-match.ts";
import type { RunWrite, WriteResult } from "../http/mutate.ts";
import { waiterOf } from "../http/request-signal.ts";
import { errors, idParameter, none, ok, VERSION_HEADER } from "../http/schema.ts";
import * as settings from "../settings/settings.ts";
import type { Waiter } from "../fair-queue.ts";
import { WRITTEN_ARTICLE_EXAMPLE } from "./examples.ts";
import { prepare } from "./prepared.ts";
import * as queries from "./queries.ts";
import * as removal from "./removal.ts";
import { givenIn } from "./requests.ts";
import * as view from "./view.ts";
import { ArticleChange, NewArticle, WrittenArticle } from "./write-schema.ts";
import * as writing from "./writing.ts";

const tags = ["articles"];
const Id = Type.Object({ id: idParameter("The number of the article.") });

const written = (description: string, headers: Record<string, string> = {}) =>
  ok(WrittenArticle, {
    description,
    example: WRITTEN_ARTICLE_EXAMPLE,
    headers: { ...headers, ...VERSION_HEADER },
  });

/** What authors do to articles. */
export function articleWriteRoutes(
  app: App,
  { context, services, runWrite }: { context: Context; services: Services; runWrite: RunWrite },
): void {
  const change: Surroundings["change"] = ({ request, reply }, work) =>
    runWrite(request, reply, { verb: (actor) => actor.run(work), show: (result) => result });
  createRoute(app, { context, services, change });
  updateRoute(app, { context, services, change });
  unpublishRoute(app, { context, change });
  removeRoute(app, { context, change });
}

interface Surroundings {
  context: Context;
  services: Services;
  /** Makes a change by `perform` when its turn has come. Who waits for that holds no connection. */
  change: (exchange: Exchange, work: (tx: Db) => Promise<WriteResult>) => Promise<FastifyReply>;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  waiter: Waiter;
}

function createRoute(app: App, { context, services, change }: Surroundings): void {
  app.post(
    "/api/articles",
    {
      config: { access: "write", idempotent: true },
      schema: {
        operationId: "createArticle",
        summary: "Create an article",
        description:
          "Creates a draft, or publishes the article if `published` or the front matter says so. Unknown attributes are ignored.",
        tags,
        body: NewArticle,
        response: {
          201: written("The article.", { Location: "The URL of the new resource." }),
          ...errors(401, 409, 422, 429, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const given = givenIn(request.body);
      const community = await settings.remembered(services.fresh, context.db.main);
      const requirePoster = () => {
        if (!writing.mayPost(caller(request), community)) throw unauthorized();
      };
      requirePoster();
      const waiter = waiterOf(request, reply);
      const prepared = await prepare(context.db.main, services.renderPool.for(waiter), given);
      return change({ request, reply, waiter }, async (tx) => {
        // Decided once more: the caller's role may have changed meanwhile.
        requirePoster();
        const rules = rulesOf(context, community);
        const saved = await writing.create(tx, { writer: caller(request), prepared, rules });
        const { location, ...answered } = await show(tx, context, saved);
        return { status: 201, headers: { location }, ...answered };
      });
    },
  );
}

function updateRoute(app: App, { context, services, change }: Surroundings): void {
  app.put(
    "/api/articles/:id",
    {
      config: { access: "write", versioned: true },
      schema: {
        operationId: "updateArticle",
        summary: "Update an article",
        description:
          "Absent attributes stay as they are. `published` publishes or unpublishes; if only admins may post, others can't publish (401). If the front matter has a title, the front matter takes precedence over all attributes.",
        tags,
        params: Id,
        body: ArticleChange,
        response: { 200: written("The article."), ...errors(401, 404, 412, 422, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const given = givenIn(request.body);
      const row = await queries.authorOf(context.db.main, id);
      // Nothing is rendered for those who may not write it; that is decided once more below.
      if (!row || !writing.mayEdit(caller(request), row)) throw notFound();
      const community = await settings.remembered(services.fresh, context.db.main);
      const waiter = waiterOf(request, reply);
      const prepared = await prepare(context.db.main, services.renderPool.for(waiter), given);
      return change({ request, reply, waiter }, async (tx) => {
        const rules = rulesOf(context, community);
        const checkVersion = () => checkUnchanged(tx, request, { context, id });
        const writer = caller(request);
        const saved = await writing.update(tx, { id, writer, prepared, rules, checkVersion });
        const { location: _, ...answered } = await show(tx, context, saved);
        return { status: 200, ...answered };
      });
    },
  );
}

function unpublishRoute(app: App, { context, change }: Omit<Surroundings, "services">): void {
  app.put(
    "/api/articles/:id/unpublish",
    {
      config: { access: "write", versioned: true },
      schema: {
        operationId: "unpublishArticle",
        summary: "Unpublish an article",
        description:
          "For its author, moderators and admins. The article can be published again and keeps its path and first publication date. A scheduled article becomes a draft.",
        tags,
        params: Id,
        response: { 204: none("The article is unpublished."), ...errors(401, 404, 412, 422, 429, 500, 503) },
      },
    },
    (request, reply) =>
      change({ request, reply, waiter: waiterOf(request, reply) }, async (tx) => {
        const { id } = request.params;
        const checkVersion = () => checkUnchanged(tx, request, { context, id });
        await removal.unpublish(tx, { id, writer: caller(request), now: context.now(), checkVersion });
        return { status: 204, body: "" };
      }),
  );
}

function removeRoute(app: App, { context, change }: Omit<Surroundings, "services">): void {
  app.delete(
    "/api/articles/:id",
    {
      config: { access: "write" },
      schema: {
        operationId: "deleteArticle",
        summary: "Delete an article",
        description:
          "For its author and admins. The article disappears at once; an operator can restore it for 30 days.",
        tags,
        params: Id,
        response: { 204: none("The article is deleted."), ...errors(401, 404, 422, 429, 500, 503) },
      },
    },
    (request, reply) =>
      change({ request, reply, waiter: waiterOf(request, reply) }, async (tx) => {
        await removal.remove(tx, { id: request.params.id, writer: caller(request), now: context.now() });
        return { status: 204, body: "" };
      }),
  );
}

type Community = Awaited<ReturnType<typeof settings.remembered>>;

function rulesOf({ config, now }: Context, community: Community): writing.Rules {
  return {
    now: now(),
    limits: config.rateLimits ? community : undefined,
    contactEmail: community.contact_email,
    posting: community.posting,
  };
}

async function checkUnchanged(
  tx: Db,
  request: FastifyRequest,
  { context, id }: { context: Context; id: number },
): Promise<void> {
  if (request.headers["if-match"] === undefined) return;
  const row = await queries.findById(tx, id);
  if (!row) throw notFound();
  ifMatch(request, () => JSON.stringify(view.article(row, optionsOf(context))))?.(row);
}

/** The article as it is now. */
async function show(
  tx: Db,
  context: Context,
  { id, warnings }: writing.Saved,
): Promise<Omit<WriteResult, "status" | "headers"> & { location: string }> {
  const row = await queries.findById(tx, id);
  if (!row) throw new Error("an article that was just written is there");
  const shown = view.article(row, optionsOf(context));
  const representation = JSON.stringify(shown);
  const body = warnings.length === 0 ? representation : JSON.stringify({ ...shown, warnings });
  return { body, representation, location: shown.url };
}

function optionsOf({ config, now }: Context): view.ViewOptions {
  return { baseUrl: config.baseUrl, now: now() };
}
