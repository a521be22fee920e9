import type { FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../metrics/metrics.ts";
import { isRouted } from "./methods.ts";

declare module "fastify" {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

/** Stands for all that are no operations of the interface: pictures, the pages of the documentation, unknown paths. */
const OTHER = "other";

/** The name under which a request is counted. */
export function operationOf(request: FastifyRequest): string {
  const { operationId = OTHER } = request.routeOptions.schema ?? {};
  return isRouted(request) ? operationId : OTHER;
}

/** Counts a request when it has been answered. */
export async function countAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const operation = operationOf(request);
  const seconds = reply.elapsedTime / 1_000;
  request.server.metrics.noteRequest({ operation, status: reply.statusCode, seconds });
}
