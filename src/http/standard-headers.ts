import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

export type StandardHeaders = Record<string, string>;

const ONE_YEAR_SECONDS = 31_536_000;

export function standardHeaders({ baseUrl }: Pick<Config, "baseUrl">): StandardHeaders {
  const isSecure = baseUrl.startsWith("https://");
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    // Other hosts of the domain may lack TLS.
    ...(isSecure && { "strict-transport-security": `max-age=${ONE_YEAR_SECONDS}` }),
  };
}

export function setStandardHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: StandardHeaders,
): void {
  reply.headers({ ...headers, "x-request-id": request.id });
}

/** The client's own id if it is harmless in a log. */
export function requestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const sent = headers["x-request-id"];
  return typeof sent === "string" && /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID();
}
