import type { FastifyRequest } from "fastify";
import { isForemClient } from "./profile.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether only clients written for Forem get plain JSON, as the published interface has it for search. */
    isSearch?: boolean;
  }
}

export const VENDOR_TYPE = "application/vnd.service.api-v1+json";
export const JSON_TYPE = "application/json";

/** Whether a body of this content type is JSON for us. */
export function isJsonType(contentType: string): boolean {
  return [JSON_TYPE, VENDOR_TYPE].includes(essenceOf(contentType));
}

/**
 * The content type of an answer. Everybody gets the vendor type, but for those who ask for plain
 * JSON and not for it; search gives it to them too.
 */
export function mediaType(request: FastifyRequest): string {
  return `${prefersPlain(request) ? JSON_TYPE : VENDOR_TYPE}; charset=utf-8`;
}

function prefersPlain(request: FastifyRequest): boolean {
  if (isForemClient(request)) return true;
  const { accept } = request.headers;
  if (accept === undefined || request.routeOptions.config.isSearch) return false;
  const types = accept.split(",").map(essenceOf);
  return types.includes(JSON_TYPE) && !types.includes(VENDOR_TYPE);
}

/** A media type without its parameters. */
function essenceOf(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase();
}
