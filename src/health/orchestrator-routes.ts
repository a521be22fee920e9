import type { FastifyReply } from "fastify";
import type { Context } from "../context.ts";
import { schemaState } from "../db/migrate.ts";
import { unavailable } from "../errors.ts";
import type { App } from "../http/app-type.ts";
import { JSON_TYPE } from "../http/forem-compat.ts";
import { errors, plain } from "../http/schema.ts";
import { Probe } from "./schema.ts";

const tags = ["instance"];

const passed = plain(Probe, { description: "Passed.", example: { status: "ok" } });

const LIVENESS = {
  operationId: "checkLiveness",
  summary: "Check liveness",
  description: "Whether the process runs. For orchestrators; needs no token.",
  tags,
  response: { 200: passed, ...errors(500) },
};

const READINESS = {
  operationId: "checkReadiness",
  summary: "Check readiness",
  description:
    "Whether the server can serve requests: its database is reachable and migrated. For orchestrators; needs no token.",
  tags,
  response: { 200: passed, ...errors(500, 503) },
};

/** The probes by which orchestrators restart a process or route traffic to it. */
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
