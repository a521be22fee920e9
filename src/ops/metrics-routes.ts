import { Type } from "typebox";
import type { Context, Engine } from "../context.ts";
import type { App } from "../http/app-type.ts";
import { errors, text } from "../http/schema.ts";
import { METRICS_TYPE } from "../metrics/metrics.ts";
import { createQueueReader } from "./queues.ts";

const EXAMPLE = `# HELP inkstone_http_requests_total Requests answered, by operation and status.
# TYPE inkstone_http_requests_total counter
inkstone_http_requests_total{operation="getArticles",status="200"} 1042
`;

const SCHEMA = {
  operationId: "getMetrics",
  summary: "What this process counts of itself",
  description:
    "For monitors, in Prometheus' text format: requests, event loop, memory, connections, and what waits in the database. With the server's METRICS_TOKEN; where none is set, from the server's own computer only.",
  tags: ["instance"],
  response: {
    200: text(Type.String(), { description: "The figures.", example: EXAMPLE }),
    ...errors(401, 500),
  },
};

export function metricsRoutes(app: App, context: Context, { metrics }: Engine): void {
  const readQueues = createQueueReader(context);
  app.get("/metrics", { config: { access: "metrics" }, schema: SCHEMA }, async (_request, reply) => {
    const shown = await metrics.text(await readQueues());
    return reply.headers({ "cache-control": "no-store", "content-type": METRICS_TYPE }).send(shown);
  });
}
