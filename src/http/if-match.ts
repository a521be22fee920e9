import type { FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import { etagOf, hasVersion } from "./answers.ts";
import { toForem } from "./profile.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether a request is refused that says `If-Match` of another version. Its handler calls `checkIfMatch`. */
    versioned?: boolean;
  }
}

/**
 * Refuses a change to something that isn't what `If-Match` says it is. Called inside the transaction
 * of the change with what was read from the locked row, so that nothing can change in between.
 * @param etags one version, or all that name the same state
 * @throws AppError precondition_failed
 */
export function checkIfMatch({ headers }: FastifyRequest, etags: string | readonly string[]): void {
  const asked = headers["if-match"];
  if (asked === undefined) return;
  if (![etags].flat().some((etag) => hasVersion(asked, etag))) {
    throw new AppError("precondition_failed", "precondition failed");
  }
}

/** The versions under which a read shows this body: to most clients, and to those written for Forem. */
export function etagsOf(body: string): string[] {
  return [etagOf(body), etagOf(toForem(body))];
}
