import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { Context, Services } from "../context.ts";
import { schemaState } from "../db/migrate.ts";
import { unavailable } from "../errors.ts";
import type { App } from "../http/app-type.ts";
import { JSON_TYPE } from "../http/forem-compat.ts";
import { errors, plain } from "../http/schema.ts";
import { METRICS_TYPE, type Queue } from "../metrics/metrics.ts";
import * as queries from "./queries.ts";
import { Probe } from "./schema.ts";

const tags = ["instance"];

const passed = plain(Probe, { description: "The check passes.", example: { status: "ok" } });

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

const METRICS_EXAMPLE = `# HELP inkstone_http_requests_total Requests with a response, by operation and status.
# TYPE inkstone_http_requests_total counter
inkstone_http_requests_total{operation="getArticles",status="200"} 1042
`;

const METRICS = {
  operationId: "getMetrics",
  summary: "Get metrics",
  description:
    "Metrics of the process in the Prometheus text format: requests, event loop, memory, connections and queues. Requires the server's METRICS_TOKEN or, if it isn't set, a request from the same computer.",
  tags: ["instance"],
  response: {
    200: plain(Type.String(), {
      description: "The response contains the metrics.",
      example: METRICS_EXAMPLE,
      types: ["text/plain"],
    }),
    ...errors(401, 500),
  },
};

export function metricsRoutes(app: App, context: Context, { metrics }: Services): void {
  const readQueues = createQueueReader(context);
  app.get("/metrics", { config: { access: "metrics" }, schema: METRICS }, async (_request, reply) => {
    const shown = await metrics.text(await readQueues());
    return reply.headers({ "cache-control": "no-store", "content-type": METRICS_TYPE }).send(shown);
  });
}

/** Frequent requests cost the database nothing. */
const KEPT_MS = 5_000;

/** A monitor waits this long for the database. */
const PATIENCE_MS = 1_500;

/** Undefined when the database can't answer now. */
function createQueueReader({ db, now }: Context): () => Promise<readonly Queue[] | undefined> {
  let kept: { figures: Promise<Queue[] | undefined>; at: number } | undefined;

  return () => {
    const at = now().getTime();
    // A clock that was set back makes the figures old too.
    if (kept === undefined || Math.abs(at - kept.at) >= KEPT_MS)
      kept = { figures: inTime(queries.queues(db.main, new Date(at))), at };
    return kept.figures;
  };
}

function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS, undefined);
    void work.then(resolve, () => resolve(undefined)).then(() => clearTimeout(timer));
  });
}
