import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { nearestName } from "../nearest-name.ts";
import { quote } from "../text/quote.ts";

/** Clients may make up any number of names: these bound the work of one request, and the memory. */
const MOST_OF_REQUEST = 10;
const MOST_KNOWN = 1_000;

/**
 * Notes query parameters that an operation doesn't have and whose name is near one that it has: in the log and the
 * metrics, each name once while it is among the last. They are never refused, because clients of Forem send more than the program knows.
 */
export function createParameterWatch() {
  const noted = new LRUCache<string, true>({ max: MOST_KNOWN });
  return (request: FastifyRequest): void => {
    const operation = request.routeOptions.schema?.operationId;
    if (operation === undefined) return;
    const known = (request.routeOptions.config.parameters?.query ?? []).map(({ name }) => name);
    const unknown = Object.keys(request.query as object).filter((name) => !known.includes(name));
    for (const name of unknown.slice(0, MOST_OF_REQUEST)) {
      const key = `${operation} ${name}`;
      const parameter = noted.get(key) ? undefined : nearestName(name, known);
      if (parameter === undefined) continue;
      noted.set(key, true);
      request.server.metrics.noteMisspelt({ operation, parameter });
      request.log.warn(
        { operation },
        `the unknown parameter ${quote(name)} of ${operation} was ignored: perhaps ${quote(parameter)} is meant`,
      );
    }
  };
}
