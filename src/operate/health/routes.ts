import { Type } from "typebox";
import { fragmentOf } from "../../platform/cache.ts";
import { VERSION } from "../../platform/config.ts";
import type { Services } from "../../context.ts";
import { answer } from "../../http/answers.ts";
import { JSON_TYPE, mediaType } from "../../http/negotiation.ts";
import { type Mount, operation, operations, type Program, read } from "../../http/operation.ts";
import { errors, found, ok, plain } from "../../http/responses.ts";
import { assetPath } from "../../platform/paths.ts";
import { Settings } from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as queries from "./queries.ts";
import { Index, Instance, INSTANCE_EXAMPLE } from "./schema.ts";

export const instanceRoutes = operations("instance", [
  read({
    path: "GET /api",
    id: "getIndex",
    access: "open",
    summary: "Get the index of the API",
    description: "The URLs that a client needs first, also of a private community.",
    answers: found(Index, "the URLs", indexOf("https://community.example")),
    config: { limited: true },
    run: async (_, { baseUrl }) => ({ body: JSON.stringify(indexOf(baseUrl)) }),
  }),
  read({
    path: "GET /api/instance",
    id: "getInstance",
    access: "open",
    summary: "Get the community",
    description: "Name, version and visibility of the community, also of a private one.",
    answers: found(Instance, "the community", INSTANCE_EXAMPLE),
    run: async (_, program) => ({ body: JSON.stringify(await instance(program)) }),
  }),
  healthCheck("app", { ok: "App is up!" }, async () => {}),
  healthCheck("database", { ok: "Database connected", failing: "Database NOT connected!" }, ({ db }) =>
    queries.ping(db.main),
  ),
  healthCheck("cache", { ok: "Cache connected", failing: "Cache NOT connected!" }, tryCache),
]);

/** The settings of the process are secret. */
export const configRoutes = operations("instance", [
  read({
    path: "GET /api/admin/config",
    id: "getAdminConfig",
    access: "admin",
    summary: "Get the community's settings",
    description: "All settings by name, including those with default values. For admins.",
    answers: found(Settings, "the settings", settings.defaults()),
    run: async (_, { db }) => ({ body: JSON.stringify(await settings.read(db.main)) }),
  }),
]);

/** The index, at the URL with a trailing slash too. */
export const indexRoutes: Mount = (app, { baseUrl }) => {
  const body = JSON.stringify(indexOf(baseUrl));
  const options = { config: { access: "open", limited: true }, schema: { hide: true } } as const;
  app.get("/api/", options, (request, reply) => answer(request, reply, async () => ({ body })));
};

async function instance({ baseUrl, cache, db }: Program): Promise<Instance> {
  const current = settings.forAnonymous(await settings.cached(cache, db));
  const visibility = (await queries.hasUsers(db.replica)) ? current.visibility : "pending";
  return {
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
}

function healthCheck(
  part: "app" | "database" | "cache",
  { ok: works, failing }: { ok: string; failing?: string },
  probe: (program: Program) => Promise<void>,
) {
  const name = `${part[0]?.toUpperCase()}${part.slice(1)}`;
  return operation({
    path: `GET /api/health_checks/${part}`,
    id: `checkHealthOf${name}`,
    access: "health",
    summary: `Check the ${part}`,
    description: "For monitors. Requests from other computers need the `health-check-token` header.",
    responses: {
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
    async run(request, reply, program) {
      const isWorking = await probe(program).then(
        () => true,
        () => false,
      );
      reply.headers({ vary: "Accept", "cache-control": "no-store" });
      return isWorking
        ? reply.type(mediaType(request)).send({ message: works })
        : reply.code(500).type(`${JSON_TYPE}; charset=utf-8`).send({ message: failing });
    },
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

function indexOf(baseUrl: string): Index {
  return {
    docs: `${baseUrl}/api/docs`,
    document: `${baseUrl}/api/openapi.json`,
    search: `${baseUrl}/api/articles/search`,
    instance: `${baseUrl}/api/instance`,
  };
}
