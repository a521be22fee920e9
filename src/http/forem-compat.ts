import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";

export const VENDOR_TYPE = "application/vnd.service.api-v1+json";
export const JSON_TYPE = "application/json";

export function isJsonType(contentType: string): boolean {
  return [JSON_TYPE, VENDOR_TYPE].includes(essenceOf(contentType));
}

type Typed = Pick<FastifyRequest, "headers" | "routeOptions">;

/** The vendor type, unless a client accepts only plain JSON; search gives it to those too. */
export function mediaType(request: Typed): string {
  return `${prefersPlain(request) ? JSON_TYPE : VENDOR_TYPE}; charset=utf-8`;
}

function prefersPlain(request: Typed): boolean {
  if (isForemClient(request)) return true;
  const { accept } = request.headers;
  if (accept === undefined || request.routeOptions.config.isSearch) return false;
  const types = accept.split(",").map(essenceOf);
  return types.includes(JSON_TYPE) && !types.includes(VENDOR_TYPE);
}

function essenceOf(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase();
}

/** The compatibility profile for clients written for Forem, except pages 0 and 1 of search, which are the same. */
const FOREM_TYPE = "application/vnd.forem.api-v1+json";

const ALSO_CALLED = { microblog_username: "twitter_username", codehost_username: "github_username" } as const;

export function isForemClient({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers.accept?.toLowerCase().includes(FOREM_TYPE) ?? false;
}

export function toForem(body: string): string {
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) => withOldNames(value));
}

function withOldNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("microblog_username" in value)) return value;
  const entries = Object.entries(value).flatMap(([key, held]) => {
    const old = ALSO_CALLED[key as keyof typeof ALSO_CALLED] as string | undefined;
    return old === undefined ? [[key, held] as const] : [[key, held] as const, [old, held] as const];
  });
  return Object.fromEntries(entries);
}
