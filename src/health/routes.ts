import type { RouteShorthandOptions } from "fastify";
import { Type } from "typebox";
import { fragmentOf } from "../cache.ts";
import { VERSION } from "../config.ts";
import type { Context, Services } from "../context.ts";
import { answer, privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { JSON_TYPE, mediaType } from "../http/forem-compat.ts";
import { CACHE_HEADERS, errors, ok, own, plain } from "../http/schema.ts";
import { Settings } from "../settings/fields.ts";
import { assetPath } from "../paths.ts";
import * as settings from "../settings/settings.ts";
import * as queries from "./queries.ts";
import { Index, Instance } from "./schema.ts";
import { metricsRoutes, orchestratorRoutes } from "./monitoring-routes.ts";

const tags = ["instance"];

export function healthRoutes(app: App, context: Context, services: Services): void {
  const { db } = context;
  indexRoute(app, context);
  instanceRoute(app, context, services);
  healthCheck(app, "app", { ok: "App is up!" }, async () => {});
  healthCheck(app, "database", { ok: "Database connected", failing: "Database NOT connected!" }, () =>
    queries.ping(db.main),
  );
  healthCheck(app, "cache", { ok: "Cache connected", failing: "Cache NOT connected!" }, () =>
    tryCache(services),
  );
  orchestratorRoutes(app, context);
  configRoute(app, context);
  metricsRoutes(app, context, services);
}

function instanceRoute(app: App, { config: { baseUrl }, db }: Context, { cache }: Services): void {
  app.get("/api/instance", { config: { access: "open" }, schema: INSTANCE }, (request, reply) =>
    answer(request, reply, async () => {
      const current = settings.forStrangers(await settings.cached(cache, db.main));
      const visibility = (await queries.hasUsers(db.replica)) ? current.visibility : "pending";
      const instance: Instance = {
        context: null,
        cover_image_url: baseUrl + assetPath("social.png"),
        description: current.community_description,
        display_in_directory: current.visibility === "public",
        domain: new URL(baseUrl).host,
        logo_image_url: baseUrl + assetPath("default-organization-640.png"),
        name: current.community_name,
        tagline: current.tagline,
        version: VERSION,
        visibility,
      };
      return { body: JSON.stringify(instance) };
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

const INSTANCE = {
  operationId: "getInstance",
  summary: "Get the community",
  description: "Name, version and visibility of the community, also of a private one.",
  tags,
  response: {
    200: ok(Instance, {
      description: "The response contains the community.",
      example: EXAMPLE,
      headers: CACHE_HEADERS,
    }),
    ...errors(304, 429, 500, 503),
  },
};

function healthCheck(
  app: App,
  part: "app" | "database" | "cache",
  sentences: { ok: string; failing?: string },
  probe: () => Promise<void>,
): void {
  const { ok: works, failing } = sentences;
  const name = `${part[0]?.toUpperCase()}${part.slice(1)}`;
  const schema = {
    operationId: `checkHealthOf${name}`,
    summary: `Check the ${part}`,
    description: "For monitors. Requests from other computers need the `health-check-token` header.",
    tags,
    response: {
      200: ok(result(works, `${name}Health`, `successful check of the ${part}`), {
        description: `The ${part} works.`,
        example: { message: works },
      }),
      ...errors(401, 429, 500),
      ...(failing !== undefined && {
        500: plain(result(failing, `${name}Failure`, `failed check of the ${part}`), {
          description: `The ${part} doesn't work.`,
          example: { message: failing },
        }),
      }),
    },
  };
  app.get(`/api/health_checks/${part}`, { config: { access: "health" }, schema }, async (request, reply) => {
    const isWorking = await probe().then(
      () => true,
      () => false,
    );
    reply.headers({ vary: "Accept", "cache-control": "no-store" });
    return isWorking
      ? reply.type(mediaType(request)).send({ message: works })
      : reply.code(500).type(`${JSON_TYPE}; charset=utf-8`).send({ message: failing });
  });
}

function result(message: string, title: string, check: string) {
  return Type.Object(
    { message: Type.Literal(message, { description: "The result, as a sentence." }) },
    { title, description: `The result of a ${check}.` },
  );
}

async function tryCache({ fragments }: Services): Promise<void> {
  const written = fragmentOf('"up"');
  fragments.set("health-check", written);
  if (fragments.get("health-check") !== written) throw new Error("The cache forgot what it was given.");
}

const CONFIG = {
  operationId: "getAdminConfig",
  summary: "Get the community's settings",
  description: "All settings by name, including those with default values. For admins.",
  tags,
  response: own(Settings, {
    description: "The response contains the settings.",
    example: settings.defaults(),
  }),
};

/** The settings of the process are secret. */
function configRoute(app: App, { db }: Context): void {
  app.get("/api/admin/config", { config: { access: "admin" }, schema: CONFIG }, async (request, reply) =>
    privateAnswer(request, reply, { body: JSON.stringify(await settings.read(db.main)) }),
  );
}

const INDEX = {
  operationId: "getIndex",
  summary: "Get the index of the API",
  description: "The URLs that a client needs first, also of a private community.",
  tags,
  response: {
    200: ok(Index, {
      description: "The response contains the URLs.",
      example: indexOf("https://community.example"),
      headers: CACHE_HEADERS,
    }),
    ...errors(304, 429, 500, 503),
  },
};

/** Mounts the index, also at the URL with a trailing slash. */
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
