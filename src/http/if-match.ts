import type { FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import { etagOf, hasVersion } from "./answers.ts";
import { toForem } from "./forem-compat.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether a request is refused that says `If-Match` of another version. Its verb checks it with `ifMatch`. */
    versioned?: boolean;
  }
}

/**
 * Makes a check that refuses a row which isn't what `If-Match` says it is; undefined without `If-Match`. A verb checks
 * the row that it has locked, so that nothing changes in between.
 * @param show the JSON text of a read of the row
 */
export function ifMatch<Row>(
  { headers }: FastifyRequest,
  show: (row: Row) => string,
): ((row: Row) => void) | undefined {
  const asked = headers["if-match"];
  if (asked === undefined) return undefined;
  return (row) => {
    const body = show(row);
    // As most clients read it, and those written for Forem.
    if ([body, toForem(body)].some((text) => hasVersion(asked, etagOf(text)))) return;
    throw new AppError("precondition_failed", "precondition failed");
  };
}
