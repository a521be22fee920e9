import type { FastifyReply, FastifyRequest } from "fastify";

const READING = ["GET", "HEAD", "OPTIONS"];

const EXPOSED = "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Search-Match";

/** Lets pages of every site read the answer, but never with anything that says who is asking. */
export function allowCrossOrigin(reply: FastifyReply): void {
  reply.header("access-control-allow-origin", "*");
  reply.header("access-control-expose-headers", EXPOSED);
}

/** Answers a browser's question whether a page may send a request: reading yes, anything else no. */
export function allowPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const method = request.headers["access-control-request-method"];
  if (method !== undefined && !READING.includes(method)) return;
  reply.headers({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": READING.join(", "),
    "access-control-allow-headers": "Accept, If-None-Match",
    "access-control-max-age": "7200",
  });
}
