import type { FastifyReply } from "fastify";
import type { Context } from "../context.ts";
import { schemaState } from "../db/migrate.ts";
import { unavailable } from "../errors.ts";
import type { App } from "../http/app-type.ts";
import { JSON_TYPE } from "../http/media-type.ts";
import { errors, plain } from "../http/schema.ts";
import { Probe } from "./schema.ts";

const tags = ["instance"];

const FOR_WHOM = "For orchestrators: without a token, and without a word that could help a stranger.";

const passed = plain(Probe, { description: "So it is.", example: { status: "ok" } });

const LIVENESS = {
  operationId: "checkLiveness",
  summary: "Whether the process lives",
  description: FOR_WHOM,
  tags,
  response: { 200: passed, ...errors(500) },
};

const READINESS = {
  operationId: "checkReadiness",
  summary: "Whether the server can serve",
  description: `The database can be reached and is migrated. ${FOR_WHOM}`,
  tags,
  response: { 200: passed, ...errors(500, 503) },
};

/** What orchestrators ask before they restart a process or send people to it. */
export function orchestratorRoutes(app: App, { db }: Context): void {
  const config = { access: "open" as const };
  app.get("/healthz", { config, schema: LIVENESS }, async (_request, reply) => pass(reply));
  app.get("/readyz", { config, schema: READINESS }, async (_request, reply) => {
    if ((await schemaState(db.main)) !== "current") throw unavailable();
    return pass(reply);
  });
}

function pass(reply: FastifyReply): FastifyReply {
  return reply
    .headers({ "cache-control": "no-store", "content-type": `${JSON_TYPE}; charset=utf-8` })
    .send({ status: "ok" });
}
