import { Type } from "typebox";
import type { Context, Services } from "../context.ts";
import type { App } from "../http/app-type.ts";
import { errors, plainText } from "../http/schema.ts";
import { METRICS_TYPE } from "../metrics/metrics.ts";
import { createQueueReader } from "./queues.ts";

const EXAMPLE = `# HELP inkstone_http_requests_total Requests answered, by operation and status.
# TYPE inkstone_http_requests_total counter
inkstone_http_requests_total{operation="getArticles",status="200"} 1042
`;

const SCHEMA = {
  operationId: "getMetrics",
  summary: "Get metrics",
  description:
    "Metrics of the process in the Prometheus text format: requests, event loop, memory, connections and queues. Requires the server's METRICS_TOKEN or, if it isn't set, a request from the same computer.",
  tags: ["instance"],
  response: {
    200: plainText(Type.String(), { description: "The metrics.", example: EXAMPLE }),
    ...errors(401, 500),
  },
};

export function metricsRoutes(app: App, context: Context, { metrics }: Services): void {
  const readQueues = createQueueReader(context);
  app.get("/metrics", { config: { access: "metrics" }, schema: SCHEMA }, async (_request, reply) => {
    const shown = await metrics.text(await readQueues());
    return reply.headers({ "cache-control": "no-store", "content-type": METRICS_TYPE }).send(shown);
  });
}
