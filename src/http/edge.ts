import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../platform/config.ts";
import { isRateLimitField } from "./rate-limit.ts";

const DAY_SECONDS = 86_400;

/** What public answers tell a cache in front of the server (RFC 9213); undefined if there is none. */
export function edgeControl({ edgeSeconds }: Pick<Config, "edgeSeconds">): string | undefined {
  return edgeSeconds === 0 ? undefined : `public, max-age=${edgeSeconds}, stale-if-error=${DAY_SECONDS}`;
}

/**
 * Lets a cache in front keep a public answer to a request without a key, unless the answer has a lifetime of its own.
 * The limits of the client who asked first mean nothing to the others. Call it last, when all fields are set.
 */
export function letEdgeKeep({ server, headers }: FastifyRequest, reply: FastifyReply): void {
  if (server.edgeControl === undefined || headers["api-key"] !== undefined) return;
  const own = String(reply.getHeader("cache-control"));
  if (!own.startsWith("public")) return;
  if (own === "public, no-cache") reply.header("cdn-cache-control", server.edgeControl);
  for (const name of Object.keys(reply.getHeaders())) if (isRateLimitField(name)) reply.removeHeader(name);
}
