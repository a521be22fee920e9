import type { FastifyReply, RouteShorthandOptions } from "fastify";
import { Type } from "typebox";
import { fragmentOf } from "../cache/fragments.ts";
import { VERSION } from "../config.ts";
import type { Context, Services } from "../context.ts";
import { answer, privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { JSON_TYPE, mediaType } from "../http/forem-compat.ts";
import { CACHE_HEADERS, errors, ok, plain } from "../http/schema.ts";
import { Settings } from "../settings/schema.ts";
import { assetPath } from "../paths.ts";
import * as settings from "../settings/settings.ts";
import * as queries from "./queries.ts";
import { Index, Instance } from "./schema.ts";
import { metricsRoutes, orchestratorRoutes } from "./monitoring-routes.ts";

const tags = ["instance"];

export function healthRoutes(app: App, context: Context, services: Services): void {
  indexRoute(app, context);
  instanceRoute(app, context, services);
  healthCheck(app, { part: "app", ok: "App is up!" }, async () => {});
  healthCheck(app, { part: "database", ok: "Database connected", failing: "Database NOT connected!" }, () =>
    queries.ping(context.db.main),
  );
  healthCheck(app, { part: "cache", ok: "Cache connected", failing: "Cache NOT connected!" }, () =>
    tryCache(services),
  );
  orchestratorRoutes(app, context);
  configRoute(app, context);
  metricsRoutes(app, context, services);
}

function instanceRoute(app: App, { config, db }: Context, { cache }: Services): void {
  app.get(
    "/api/instance",
    {
      config: { access: "open" },
      schema: {
        operationId: "getInstance",
        summary: "Get the community",
        description: "Name, version and visibility of the community, also of a private one.",
        tags,
        response: {
          200: ok(Instance, { description: "The community.", example: EXAMPLE, headers: CACHE_HEADERS }),
          ...errors(304, 429, 500, 503),
        },
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const current = await settings.cached(cache, db.main);
        const hasUsers = await queries.hasUsers(db.replica);
        const site = { settings: current, hasUsers, baseUrl: config.baseUrl, version: VERSION };
        return { body: JSON.stringify(describe(site)) };
      }),
  );
}

const EXAMPLE: Instance = {
  context: null,
  cover_image_url: "https://community.example/assets/social.png",
  description: "People who repair things.",
  display_in_directory: true,
  domain: "community.example",
  logo_image_url: "https://community.example/assets/default-organization-640.png",
  name: "Loom Folk",
  tagline: "Warp and weft",
  version: "0.1.0",
  visibility: "public",
};

interface HealthCheck {
  part: "app" | "database" | "cache";
  ok: string;
  failing?: string;
}

function healthCheck(app: App, check: HealthCheck, probe: () => Promise<void>): void {
  const { part, failing = "" } = check;
  const name = `${part[0]?.toUpperCase()}${part.slice(1)}`;
  const message = (text: string) =>
    Type.Object(
      { message: Type.Literal(text, { description: "The result, as a sentence." }) },
      {
        title: `${name}${text === failing ? "Failure" : "Health"}`,
        description: `The result of a ${text === failing ? "failed" : "successful"} check of the ${part}.`,
      },
    );
  const failed = plain(message(failing), {
    description: `The ${part} doesn't work.`,
    example: { message: failing },
  });
  app.get(
    `/api/health_checks/${part}`,
    {
      config: { access: "health" },
      schema: {
        operationId: `checkHealthOf${name}`,
        summary: `Check the ${part}`,
        description: "For monitors. Requests from other computers need the `health-check-token` header.",
        tags,
        response: {
          200: ok(message(check.ok), { description: `The ${part} works.`, example: { message: check.ok } }),
          ...errors(401, 429),
          ...(failing === "" ? errors(500) : { 500: failed }),
        },
      },
    },
    async (request, reply: FastifyReply) => {
      const works = await probe().then(
        () => true,
        () => false,
      );
      reply.headers({ vary: "Accept", "cache-control": "no-store" });
      return works
        ? reply.type(mediaType(request)).send({ message: check.ok })
        : reply.code(500).type(`${JSON_TYPE}; charset=utf-8`).send({ message: failing });
    },
  );
}

async function tryCache({ fragments }: Services): Promise<void> {
  const written = fragmentOf('"up"');
  fragments.set("health-check", written);
  if (fragments.get("health-check") !== written) throw new Error("The cache forgot what it was given.");
}

/** The settings of the process are secret. */
function configRoute(app: App, { db }: Context): void {
  app.get(
    "/api/admin/config",
    {
      config: { access: "admin" },
      schema: {
        operationId: "getAdminConfig",
        summary: "Get the community's settings",
        description: "All settings by name, including those with default values. For admins.",
        tags: ["instance"],
        response: {
          200: ok(Settings, { description: "The settings.", example: settings.defaults() }),
          ...errors(304, 401, 429, 500, 503),
        },
      },
    },
    async (request, reply) =>
      privateAnswer(request, reply, { body: JSON.stringify(await settings.read(db.main)) }),
  );
}

const INDEX_EXAMPLE = indexOf("https://community.example");

const INDEX = {
  operationId: "getIndex",
  summary: "Get the index of the API",
  description: "The URLs that a client needs first, also of a private community.",
  tags: ["instance"],
  response: {
    200: ok(Index, { description: "The URLs.", example: INDEX_EXAMPLE, headers: CACHE_HEADERS }),
    ...errors(304, 429, 500, 503),
  },
};

/** Also at the URL with a trailing slash. */
function indexRoute(app: App, { config: { baseUrl } }: Context): void {
  const body = JSON.stringify(indexOf(baseUrl));
  const mount = (path: string, schema: RouteShorthandOptions["schema"] & object) =>
    app.get(path, { config: { access: "open", limited: true }, schema }, (request, reply) =>
      answer(request, reply, async () => ({ body })),
    );
  mount("/api", INDEX);
  mount("/api/", { hide: true });
}

function indexOf(baseUrl: string): Index {
  return {
    docs: `${baseUrl}/api/docs`,
    document: `${baseUrl}/api/openapi.json`,
    search: `${baseUrl}/api/articles/search`,
    instance: `${baseUrl}/api/instance`,
  };
}

interface Site {
  settings: Settings;
  hasUsers: boolean;
  baseUrl: string;
  version: string;
}

function describe({ settings: values, hasUsers, baseUrl, version }: Site): Instance {
  return {
    context: null,
    cover_image_url: baseUrl + assetPath("social.png"),
    description: values.community_description,
    display_in_directory: values.visibility === "public",
    domain: new URL(baseUrl).host,
    logo_image_url: baseUrl + assetPath("default-organization-640.png"),
    name: values.community_name,
    tagline: values.tagline,
    version,
    visibility: hasUsers ? values.visibility : "pending",
  };
}
