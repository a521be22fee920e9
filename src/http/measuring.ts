import type { FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../metrics/metrics.ts";
import { isRouted } from "./methods.ts";

declare module "fastify" {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

/** What isn't an operation of the interface: pictures, the pages of the documentation, and addresses of nothing. */
const OTHER = "other";

/** Counts a request when it has been answered. */
export async function countAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { operationId = OTHER } = request.routeOptions.schema ?? {};
  const operation = isRouted(request) ? operationId : OTHER;
  const seconds = reply.elapsedTime / 1_000;
  request.server.metrics.noteRequest({ operation, status: reply.statusCode, seconds });
}
