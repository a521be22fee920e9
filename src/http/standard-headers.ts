import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** What every answer carries, unless its route says otherwise. */
export const STANDARD_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

export function setStandardHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ ...STANDARD_HEADERS, "x-request-id": request.id });
}

/** The client's own id for its request if it is harmless in a log, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const sent = headers["x-request-id"];
  return typeof sent === "string" && /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID();
}
