import type { FastifyRequest } from "fastify";

/** Why the key of a request opens nothing. "blocked": its address sent too many unknown keys to look it up. */
export type KeyFault = "missing" | "unknown" | "expired" | "suspended" | "blocked";

const FAULTS: Record<KeyFault, string> = {
  missing: "The request has no API key: send one in the api-key header.",
  unknown: "The API key is unknown: it is misspelled or has been removed.",
  expired: "The API key has expired: create a new one.",
  suspended: "The account of this API key is suspended.",
  blocked: "Too many unknown API keys came from this address: try again in a minute.",
};

/** The `detail` of a 401. It depends on the key and the route alone, never on whether something exists. */
export function detailOfDenial({ caller, keyFault }: FastifyRequest, access: string): string {
  if (access === "health") {
    return "Send the server's HEALTH_CHECK_TOKEN in the health-check-token header, or ask from the same computer.";
  }
  if (access === "metrics") {
    return "Send the server's METRICS_TOKEN as Authorization: Bearer; if none is set, ask from the same computer.";
  }
  if (caller === undefined) return FAULTS[keyFault];
  if (access === "admin") return "The account of this API key isn't an admin.";
  return "This API key is read-only: use one that may write.";
}
