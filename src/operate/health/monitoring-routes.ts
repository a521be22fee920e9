import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { Context, Services } from "../../context.ts";
import { schemaState } from "../../platform/db/migrate.ts";
import { AppError, unavailable } from "../../platform/errors.ts";
import { JSON_TYPE } from "../../http/negotiation.ts";
import { type Mount, operation, operations } from "../../http/operation.ts";
import { errors, plain } from "../../http/responses.ts";
import { METRICS_TYPE, type Queue } from "../../platform/metrics/metrics.ts";
import * as queries from "./queries.ts";
import { Probe } from "./schema.ts";

const passed = plain(Probe, { description: "The check passes.", example: { status: "ok" } });

export const orchestratorRoutes = operations("instance", [
  operation({
    path: "GET /healthz",
    id: "checkLiveness",
    access: "open",
    summary: "Check liveness",
    description: "Whether the process runs. For orchestrators; needs no token.",
    responses: { 200: passed, ...errors(500) },
    run: async (_, reply) => pass(reply),
  }),
  operation({
    path: "GET /readyz",
    id: "checkReadiness",
    access: "open",
    summary: "Check readiness",
    description:
      "Whether the server can serve requests: its database is reachable and migrated, and search works. With `database` it serves anonymous reads alone. For orchestrators; needs no token.",
    responses: { 200: passed, ...errors(500, 503) },
    async run(_, reply, program) {
      const { db, stopping } = program;
      if (stopping.signal.aborted || (await schemaState(db.shared)) !== "current") throw unavailable();
      if (!(await canSearch(program)))
        throw new AppError("unavailable", "Search is starting", { retryAfterSeconds: 5 });
      return pass(reply, db.replicas?.isPrimaryAway ? { database: "read-only" } : {});
    },
  }),
]);

/** Reading the vocabulary takes less, but on a busy computer. */
const READING_MS = 500;

async function canSearch({ config, db, cache, searchMemory }: Context & Services): Promise<boolean> {
  if (searchMemory.isReady || config.role === "jobs") return true;
  const reading = searchMemory.current(db.slow, cache).catch(() => undefined);
  await Promise.race([reading, sleep(READING_MS, undefined, { ref: false })]);
  return searchMemory.isReady;
}

function pass(reply: FastifyReply, more: Omit<Probe, "status"> = {}): FastifyReply {
  return reply
    .headers({ "cache-control": "no-store", "content-type": `${JSON_TYPE}; charset=utf-8` })
    .send({ status: "ok", ...more } satisfies Probe);
}

const METRICS_EXAMPLE = `# HELP inkstone_http_requests_total Requests with a response, by operation and status.
# TYPE inkstone_http_requests_total counter
inkstone_http_requests_total{operation="getArticles",status="200"} 1042
`;

/** Each server reads the queues for itself. */
export const metricsRoutes: Mount = (app, program) => {
  const readQueues = createQueueReader(program);
  const metrics = operation({
    path: "GET /metrics",
    id: "getMetrics",
    access: "metrics",
    summary: "Get metrics",
    description:
      "Metrics of the server in the Prometheus text format: requests, event loop, memory, connections and queues. Requires the server's METRICS_TOKEN or, if it isn't set, a request from the same computer.",
    responses: {
      200: plain(Type.String(), {
        description: "The response contains the metrics.",
        example: METRICS_EXAMPLE,
        types: ["text/plain"],
      }),
      ...errors(401, 500),
    },
    async run(_, reply) {
      const shown = await program.metrics.text(await readQueues());
      return reply.headers({ "cache-control": "no-store", "content-type": METRICS_TYPE }).send(shown);
    },
  });
  return operations("instance", [metrics])(app, program);
};

/** Frequent requests cost the database nothing. */
const KEPT_MS = 5_000;
const PATIENCE_MS = 1_500;

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
