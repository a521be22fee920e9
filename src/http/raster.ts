import type { FastifyReply, FastifyRequest } from "fastify";
import { isKnown } from "./answers.ts";
import { giveBack } from "./rate-limit.ts";

const YEAR_SECONDS = 31_536_000;

/** For what never changes under its address. */
export const FOREVER = `public, max-age=${YEAR_SECONDS}, immutable`;

/** An image is only ever an image, also for a browser that is told otherwise. */
const SAFE = {
  "content-disposition": "inline",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Says how an image is served, and answers at once whoever has this version already.
 * @returns whether that is all
 */
export function beginImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, type, cacheControl }: { etag: string; type: string; cacheControl: string },
): boolean {
  reply.headers({ etag, "cache-control": cacheControl, ...SAFE });
  if (!isKnown(request, etag)) {
    reply.type(type);
    return false;
  }
  giveBack(request, reply);
  reply.code(304).send();
  return true;
}
